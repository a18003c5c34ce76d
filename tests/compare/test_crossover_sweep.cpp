// SPDX-License-Identifier: GPL-3.0-or-later
// A measured crossover is kept and read again; what is damaged is refused.
#include "core/base/files.h"
#include "core/compare/crossover_sweep.h"
#include "core/model/measurement/conditions.h"
#include "tests/test_program.h"

#include <QTest>

using namespace tilewright;
using namespace Qt::StringLiterals;

namespace {

CrossoverSweep example()
{
    CrossoverSweep sweep;
    sweep.task = "gemm-fp32-cpu";
    sweep.scheme = "Strassen";
    sweep.format = "2x2x2";
    sweep.rank = 7;
    sweep.coefficients = "ab";
    sweep.leaf = "c-0122";
    sweep.leafProgram = "cd";
    sweep.sizes = {256, 512, 1024};
    sweep.device = "a processor";
    sweep.deviceId = "cpu0";
    sweep.date = "2026-12-01T10:00:00Z";
    sweep.protocol = measurementProtocol;
    sweep.cells = {{256, 2e6, 1.8e6, 24, Interval{0.9, 0.89, 0.91}, {}, {}}, {512, 0, 0, 0, {}, "verify/timed", "no"}};
    return sweep;
}

QString codeOf(const CrossoverSweep& sweep)
{
    const auto read = crossoverFrom(crossoverJson(sweep));
    return read ? u"read"_s : q(read.error().code);
}

} // namespace

class TestCrossoverSweep : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void itIsReadAsItWasWritten()
    {
        const CrossoverSweep sweep = example();
        const auto read = crossoverFrom(crossoverJson(sweep));
        QVERIFY2(read, read ? "" : read.error().text.c_str());
        QVERIFY(*read == sweep);
        QVERIFY(!read->isComplete());
        QCOMPARE(read->points().size(), std::size_t(1)); // the refused size has no figure
        QCOMPARE(read->at(512)->rule, std::string("verify/timed"));
        QVERIFY(!read->at(1024));
    }

    void whatAsksTheSameIsGoneOnWith()
    {
        const CrossoverSweep sweep = example();
        CrossoverSweep other = sweep;
        other.cells.clear();
        other.device = "another one";
        QVERIFY(sweep.asksTheSame(other));
        other.leafProgram = "ef";
        QVERIFY(!sweep.asksTheSame(other));
        other = sweep;
        other.levels = 2;
        QVERIFY(!sweep.asksTheSame(other));
    }

    void whatIsDamagedIsRefused()
    {
        QCOMPARE(q(crossoverFrom("{}").error().code), u"crossover/file"_s);
        CrossoverSweep wrong = example();
        wrong.cells[0].ratio = Interval{0.9, 0.95, 1};
        QCOMPARE(codeOf(wrong), u"crossover/file"_s);
        wrong = example();
        wrong.cells[1].rule.clear();
        QCOMPARE(codeOf(wrong), u"crossover/file"_s);
        wrong = example();
        wrong.cells.push_back(wrong.cells[0]);
        QCOMPARE(codeOf(wrong), u"crossover/file"_s);
        wrong = example();
        wrong.cells[0].size = 300;
        QCOMPARE(codeOf(wrong), u"crossover/file"_s);
        wrong = example();
        wrong.sizes = {512, 256};
        QCOMPARE(codeOf(wrong), u"crossover/file"_s);
        wrong = example();
        wrong.date.clear();
        QCOMPARE(codeOf(wrong), u"crossover/file"_s);
        wrong = example();
        wrong.protocol = measurementProtocol + 1;
        QCOMPARE(codeOf(wrong), u"crossover/protocol"_s);
    }

    void theRecordedOnesAreWhole()
    {
        for (const char* name : {"crossover-strassen", "crossover-winograd"}) {
            const auto text = readFile(std::string(TILEWRIGHT_SOURCE_DIR "/resources/lab/") + name + ".json");
            QVERIFY(text);
            const auto read = crossoverFrom(*text);
            QVERIFY2(read, read ? name : read.error().text.c_str());
            QVERIFY(read->isComplete());
        }
    }
};

TILEWRIGHT_TEST(TestCrossoverSweep)
#include "test_crossover_sweep.moc"
