// SPDX-License-Identifier: GPL-3.0-or-later
// A session that takes long to read.
#include "core/store/session_reader.h"
#include "tests/store/recording.h"
#include "tests/test_program.h"

#include <QTemporaryDir>
#include <QTest>

using namespace tilewright;
using namespace tilewright::testing;

class TestLongReading : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whoWatchesSeesItGrowAndMayEndIt();
};

void TestLongReading::whoWatchesSeesItGrowAndMayEndIt()
{
    const QTemporaryDir folder;
    const std::string file = folder.filePath(QStringLiteral("watched.tilewright")).toStdString();
    DryRun dry(gemmPack(), RunSettings{});
    dry.runTo(200);
    QVERIFY(recorded(dry, file));
    const RunState& run = dry.state();
    auto reader = SessionReader::open(file);
    QVERIFY(reader.has_value());
    std::vector<std::int64_t> seen;
    const auto state = (*reader)->load([&](const RunState& sofar, std::int64_t events) {
        seen.push_back(sofar.lastSeq);
        return events == run.lastSeq;
    });
    QVERIFY(state.has_value());
    QVERIFY(state->candidates == run.candidates);
    QVERIFY(seen.size() > 1);
    QVERIFY(std::ranges::is_sorted(seen));
    QVERIFY(seen.front() > 0 && seen.front() < run.lastSeq);
    QCOMPARE(seen.back(), run.lastSeq);
    const auto ended = (*reader)->load([](const RunState&, std::int64_t) { return false; });
    QVERIFY(!ended);
    QCOMPARE(ended.error().code, std::string("session/cancelled"));
}

TILEWRIGHT_TEST(TestLongReading)
#include "test_long_reading.moc"
