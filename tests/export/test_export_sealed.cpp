// SPDX-License-Identifier: GPL-3.0-or-later
// Sealed shapes are measured once, when a candidate is exported: the session records it, the report counts it, and
// where they cannot be measured one line says why and how to go on.
#include "tests/cli/cli_run.h"
#include "tests/export/exported_demo.h"
#include "tests/test_program.h"

#include "core/base/files.h"
#include "core/store/session_lock.h"

#include <QJsonArray>

using namespace tilewright;
using namespace Qt::StringLiterals;
using tilewright::testing::ExportedDemo;

class TestExportSealed : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    int m_copies = 0;

    QString in(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }

    Run cli(const QStringList& arguments, const QString& manners = {}) const
    {
        QProcessEnvironment environment = environmentIn(m_folder);
        environment.insert(u"TILEWRIGHT_NODE"_s, QStringLiteral(TILEWRIGHT_FAKE_NODE) + manners);
        return runToItsEnd(environment, arguments);
    }

    Run exported(
        const QString& session, const QString& to, const QStringList& words = {}, const QString& manners = {}) const
    {
        return cli(QStringList{u"export"_s, session, u"best"_s, u"--to"_s, to, u"--no-harness"_s} + words, manners);
    }

    /// A session that was not exported from yet.
    QString copy()
    {
        const QString path = m_folder.filePath(u"copy-%1.tilewright"_s.arg(++m_copies));
        return QFile::copy(in("run.tilewright"), path) ? path : QString();
    }

    static RunState stateOf(const QString& session)
    {
        return ExportedDemo::orThrow(ExportedDemo::orThrow(SessionReader::open(session.toStdString()))->load());
    }
    static nlohmann::json reportIn(const QString& folder)
    {
        return nlohmann::json::parse(readFile(folder.toStdString() + "/report.json").value_or("{}"));
    }

private Q_SLOTS:
    void initTestCase()
    {
        const Run run = cli({u"evolve"_s, u"--task"_s, QStringLiteral(TILEWRIGHT_SOURCE_DIR "/kernels/gemm-fp32-cpu"),
            u"--session"_s, in("run.tilewright"), u"--evaluations"_s, u"60"_s});
        QVERIFY2(run.exitCode == 0, run.err);
        const RunState state = stateOf(in("run.tilewright"));
        QVERIFY(state.best() && state.best()->confirmed && state.best()->id != CandidateId{1});
        QVERIFY(state.sealedMeasurements.empty());
    }

    void everyShippedTaskHasSealedShapesOfItsOwn()
    {
        int tasks = 0;
        for (const auto& [folder, pack] : findTaskPacks()) {
            if (!pack || folder.string().find(TILEWRIGHT_SOURCE_DIR) != 0)
                continue;
            ++tasks;
            QVERIFY2(pack->task.sealed.size() >= 3, folder.c_str());
            bool hasOdd = false;
            for (const Shape& shape : pack->task.sealed) {
                for (const auto* list : {&pack->task.train, &pack->task.heldout, &pack->task.verify})
                    QVERIFY2(std::ranges::find(*list, shape) == list->end(), folder.c_str());
                hasOdd = hasOdd || std::ranges::any_of(shape, [](std::int64_t extent) { return extent % 2 != 0; });
            }
            QVERIFY2(hasOdd, folder.c_str());
        }
        QVERIFY(tasks >= 3);
    }

    void theyAreMeasuredOnceAndTheSessionRecordsIt()
    {
        const QString session = copy();
        const Run first = exported(session, in("first"), {u"--json"_s});
        QVERIFY2(first.exitCode == 0, first.err);
        QVERIFY(first.json()[u"sealed_measured_now"].toBool());
        const RunState state = stateOf(session);
        QCOMPARE(state.sealedMeasurements.size(), std::size_t(1));
        const SealedMeasurement& measured = state.sealedMeasurements.front();
        QCOMPARE(measured.candidate, state.best()->id);
        QVERIFY(measured.result.purpose == Purpose::Export && measured.result.score);
        const auto pack = ExportedDemo::orThrow(loadTaskPack(TILEWRIGHT_SOURCE_DIR "/kernels/gemm-fp32-cpu"));
        std::vector<Shape> shapes;
        for (const ShapeResult& shape : measured.result.shapes) {
            QVERIFY(shape.split == ShapeSplit::Sealed);
            QVERIFY(!shape.versusIncumbent && shape.versusBaseline); // beside the seed, not beside an earlier best
            shapes.push_back(shape.shape);
        }
        QCOMPARE(shapes, pack.task.sealed);
        const nlohmann::json report = reportIn(in("first"));
        QCOMPARE(report.at("sealed").at("candidates_measured").get<int>(), 1);
        QCOMPARE(report.at("sealed").at("score"), measured.result.score->json());
        QVERIFY(
            readFile(in("first").toStdString() + "/REPORT.html")->find("1 candidate of the session measured on them")
            != std::string::npos);

        const Run again = exported(session, in("again"), {u"--json"_s});
        QVERIFY2(again.exitCode == 0, again.err);
        QVERIFY(!again.json()[u"sealed_measured_now"].toBool());
        QCOMPARE(stateOf(session).lastSeq, state.lastSeq);
        QCOMPARE(reportIn(in("again")).at("sealed"), report.at("sealed"));
    }

    void nothingElseOfTheRunChanges()
    {
        const QString session = copy();
        QCOMPARE(exported(session, in("unchanged")).exitCode, 0);
        const RunState before = stateOf(in("run.tilewright")), after = stateOf(session);
        QVERIFY(*after.best() == *before.best());
        QCOMPARE(after.evaluations.size(), before.evaluations.size());
        QCOMPARE(after.evaluationsStarted, before.evaluationsStarted);
        QCOMPARE(after.incumbent, before.incumbent);
        QVERIFY(after.phase == before.phase);
        QCOMPARE(after.lastSeq, before.lastSeq + 1);
        const Run goesOn = cli({u"resume"_s, session, u"--evaluations"_s, u"+3"_s});
        QVERIFY2(goesOn.exitCode == 0, goesOn.err);
        QCOMPARE(stateOf(session).sealedMeasurements.size(), std::size_t(1));
    }

    void withoutThemTheReportSaysSo()
    {
        const QString session = copy();
        const Run run = exported(session, in("without"), {u"--no-sealed"_s, u"--json"_s});
        QVERIFY2(run.exitCode == 0, run.err);
        QVERIFY(stateOf(session).sealedMeasurements.empty());
        const nlohmann::json sealed = reportIn(in("without")).at("sealed");
        QCOMPARE(sealed.at("note").get<std::string>(), std::string("not measured"));
        QVERIFY(sealed.at("score").is_null());
    }

    void whereTheyCannotBeMeasuredOneLineSaysWhy_data()
    {
        QTest::addColumn<QString>("manners");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("another device") << u" --device-name Another"_s << 6 << QByteArray("Another");
        QTest::newRow("another compiler") << u" --compiler clang"_s << 6 << QByteArray("clang");
        QTest::newRow("no compiler") << u" --no-compiler"_s << 6 << QByteArray("NVRTC");
        QTest::newRow("no device") << u" --no-device"_s << 6 << QByteArray("device");
        QTest::newRow("no node") << u"-that-is-not-there"_s << 6 << QByteArray("node");
    }

    void whereTheyCannotBeMeasuredOneLineSaysWhy()
    {
        QFETCH(QString, manners);
        QFETCH(int, exitCode);
        QFETCH(QByteArray, says);
        const QString session = copy();
        const Run run = exported(session, in("nothing"), {}, manners);
        QCOMPARE(run.exitCode, exitCode);
        const QByteArray last = run.err.trimmed().split('\n').last();
        QVERIFY2(
            last.contains("sealed shapes cannot be measured") && last.contains(says) && last.contains("--no-sealed"),
            run.err);
        QVERIFY(!QFile::exists(in("nothing")));
        QVERIFY(stateOf(session).sealedMeasurements.empty());
        QCOMPARE(exported(session, in(QTest::currentDataTag()), {u"--no-sealed"_s}, manners).exitCode, 0);
    }

    void aSessionThatSomebodyWritesIsLeftAlone()
    {
        const QString session = copy();
        SessionLock lock;
        QVERIFY(lock.acquire(session.toStdString()));
        const Run run = exported(session, in("locked"));
        QCOMPARE(run.exitCode, 7);
        QVERIFY2(run.err.contains("--no-sealed"), run.err);
        QCOMPARE(exported(session, in("unlocked"), {u"--no-sealed"_s}).exitCode, 0);
    }

    void aRefusalOnThemIsTheFinding()
    {
        const ExportedDemo demo;
        RunState state = demo.state;
        EvaluationResult refused;
        refused.purpose = Purpose::Export;
        refused.outcome = Outcome::Refused;
        refused.rule = "verify/norm";
        refused.text = "the relative error 0.5 is above the limit";
        const Event event{state.run, state.lastSeq + 1, "2026-11-30T12:00:00.000Z",
            events::SealedMeasured{state.best()->id, state.device, refused}};
        QVERIFY(apply(state, event));
        const auto record = exportRecordOf(state, state.best()->id, demo.pack, demo.source());
        QVERIFY(record && record->finding == Finding::RefusedOnSealed);
        QVERIFY2(record->findingText.starts_with("Refused on sealed shapes: refused by the rule verify/norm"),
            record->findingText.c_str());
        Event twice = event;
        ++twice.seq;
        const auto again = apply(state, twice);
        QVERIFY(!again);
        QCOMPARE(again.error().code, std::string("event/order"));
    }
};

TILEWRIGHT_TEST(TestExportSealed)
#include "test_export_sealed.moc"
