// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that end otherwise than by their budget: killed with SIGKILL at random moments and resumed each time, nothing
// recorded is lost or doubled and the budget comes out exact; interrupted, cut off by a full disk, kept by a busy
// machine.
#include "core/base/random.h"
#include "core/store/session_reader.h"
#include "core/store/session_writer.h"
#include "tests/cli/command_folder.h"
#include "tests/cli/session_rows.h"
#include "tests/engine/person.h"
#include "tests/test_program.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTest>
#include <csignal>
#include <set>

using namespace tilewright;

class TestEndedRuns : public QObject, CommandFolder
{
    Q_OBJECT

private Q_SLOTS:
    void aFullDiskIsWaitedForAndNothingUnsavedIsToldAsSaved_data()
    {
        QTest::addColumn<QString>("then");
        QTest::addColumn<bool>("saved");
        QTest::newRow("room is made") << QStringLiteral("rm \"$0/filler\"") << true;
        QTest::newRow("interrupted") << QStringLiteral("kill -INT $run") << false;
    }

    void aFullDiskIsWaitedForAndNothingUnsavedIsToldAsSaved()
    {
        QFETCH(QString, then);
        QFETCH(bool, saved);
        if (QProcess::execute(QStringLiteral("unshare"), {QStringLiteral("-rm"), QStringLiteral("true")}) != 0)
            QSKIP("no small file system can be made here");
        const QString folder = file("small"), errors = file("small.err"), out = file("small.out");
        QVERIFY(QDir().mkpath(folder));
        // A small disk of its own; the run is told to go on once it has said that the disk is full.
        const QString script = QStringLiteral(
            "mount -t tmpfs -o size=3m none \"$0\" && head -c 1800000 /dev/zero > \"$0/filler\" || exit 99\n"
            "\"$1\" evolve --task \"$2\" --session \"$0/a.tilewright\" --evaluations 3000 --json > \"$3\" 2> \"$4\" &\n"
            "run=$!\n"
            "for i in $(seq 600); do grep -q 'disk is full' \"$4\" && break; sleep 0.1; done\n"
            "sleep 5\n" // long enough to be tried again
            "%1\n"
            "wait $run; code=$?\n"
            "\"$1\" show \"$0/a.tilewright\" --json --top 1; exit $code")
                                   .arg(then);
        QProcess process;
        process.setProcessEnvironment(environmentFor(m_folder.path(), ""));
        process.start(QStringLiteral("unshare"),
            {QStringLiteral("-rm"), QStringLiteral("sh"), QStringLiteral("-c"), script, folder,
                QStringLiteral(TILEWRIGHT_CLI), m_task, out, errors});
        QVERIFY(process.waitForFinished(patience));
        QFile said(errors), told(out);
        QVERIFY(said.open(QIODevice::ReadOnly) && told.open(QIODevice::ReadOnly));
        const QByteArray says = said.readAll(), tells = told.readAll();
        QVERIFY2(process.exitCode() == 6, says.constData());
        QVERIFY2(says.count("the disk is full") == 1, says.constData());
        const QJsonObject shown = QJsonDocument::fromJson(process.readAllStandardOutput()).object();
        const int kept = shown.value(QStringLiteral("evaluations")).toInt();
        QVERIFY(kept > 0 && kept < 3000);
        QCOMPARE(says.contains("not saved: events after"), !saved);
        if (saved) {
            QCOMPARE(QJsonDocument::fromJson(tells).object().value(QStringLiteral("evaluations")).toInt(), kept);
            QCOMPARE(shown.value(QStringLiteral("phase")).toString(), QStringLiteral("paused"));
        } else {
            QVERIFY2(tells.isEmpty(), tells.constData());
        }
    }

    void killedFiftyTimesNothingIsLostOrDoubled()
    {
        const QString session = file("killed.tilewright");
        // Grows whenever it is used up before all kills are done. Small, since the last run has one patience for the
        // rest.
        int budget = 60;
        int kills = 0;
        std::int64_t seq = 0;
        std::vector<std::string> before;
        for (std::uint64_t round = 0; kills < 50; ++round) {
            CounterRandom random(99, 1, round);
            QProcess process;
            process.setProcessEnvironment(environmentFor(m_folder.path(), " --delay-ms 2 --crash 23 --build-error 9"));
            const bool made = QFile::exists(session);
            process.start(QStringLiteral(TILEWRIGHT_CLI),
                made ? QStringList{QStringLiteral("resume"), session, QStringLiteral("--evaluations"),
                    QString::number(budget), QStringLiteral("--json")}
                     : QStringList{QStringLiteral("evolve"), QStringLiteral("--task"), m_task,
                         QStringLiteral("--session"), session, QStringLiteral("--evaluations"), QString::number(budget),
                         QStringLiteral("--json")});
            if (process.waitForFinished(static_cast<int>(15 + random.below(380)))) {
                QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
                budget += 60;
                continue;
            }
            ::kill(static_cast<pid_t>(process.processId()), SIGKILL);
            QVERIFY(process.waitForFinished(patience));
            ++kills;
            if (!QFile::exists(session))
                continue;
            auto reader = SessionReader::open(session.toStdString());
            QVERIFY2(reader.has_value(), reader ? "" : reader.error().text.c_str());
            const auto state = (*reader)->load();
            QVERIFY2(state.has_value(), state ? "" : state.error().text.c_str());
            // What was recorded before is still there, in the same order.
            QVERIFY(state->lastSeq >= seq);
            const auto now = eventsOf(session);
            QCOMPARE(static_cast<std::int64_t>(now.size()), state->lastSeq);
            QVERIFY(now.size() >= before.size() && std::equal(before.begin(), before.end(), now.begin()));
            seq = state->lastSeq;
            before = now;
        }
        QCOMPARE(kills, 50);
        const Run last
            = cli({QStringLiteral("resume"), session, QStringLiteral("--json")}, " --crash 23 --build-error 9");
        QVERIFY2(last.exitCode == 0, last.err.constData());
        QCOMPARE(last.json().value(QStringLiteral("evaluations")).toInt(), budget);

        auto reader = SessionReader::open(session.toStdString());
        const auto state = (*reader)->load();
        QVERIFY(state.has_value());
        QCOMPARE(state->evaluationsStarted, std::int64_t(budget));
        std::set<std::int64_t> numbers;
        std::set<Hash> measured;
        std::int64_t outcomes = 0;
        for (const Candidate& candidate : state->candidates) {
            QCOMPARE(candidate.stage, Stage::Done);
            if (candidate.evaluationNumber == 0)
                continue;
            QVERIFY(numbers.insert(candidate.evaluationNumber).second);
            QVERIFY(measured.insert(candidate.program).second);
            QVERIFY(candidate.outcome != Outcome::None);
        }
        QCOMPARE(static_cast<int>(numbers.size()), budget);
        for (const char* name : {"ranked", "build_failed", "run_failed", "refused", "quarantined"})
            if (const auto found = state->outcomes.find(name); found != state->outcomes.end())
                outcomes += found->second;
        QCOMPARE(outcomes, std::int64_t(budget));
        for (const Proposal& proposal : state->proposals)
            QVERIFY(proposal.state != ProposalState::Open);
        reader->reset();
        auto writer = SessionWriter::open(session.toStdString());
        QVERIFY(writer.has_value());
        const auto hash = (*writer)->projectionsHash();
        QVERIFY((*writer)->rebuildProjections().has_value());
        QCOMPARE((*writer)->projectionsHash()->hex(), hash->hex());
    }

    void killedWhilePromptsAreOpenNoReplyIsLostOrTakenTwice()
    {
        const QString session = file("letters.tilewright"), folder = file("letters");
        QFile seedFile(m_task + QStringLiteral("/seed.cpp"));
        QVERIFY(seedFile.open(QIODevice::ReadOnly));
        const std::string seed = seedFile.readAll().toStdString();
        testing::Person person(folder, [&](const testing::ReadPrompt& prompt) {
            return prompt.number % 4 == 1 ? testing::badReply() : testing::goodReply(seed, prompt.number);
        });
        // An answer is stored before what it says is: the last of these ends in order, having read what a kill left
        // unread.
        constexpr std::uint64_t runs = 7;
        for (std::uint64_t run = 0; run < runs; ++run) {
            CounterRandom random(7, 2, run);
            QProcess process;
            process.setProcessEnvironment(environmentFor(m_folder.path(), ""));
            process.start(QStringLiteral(TILEWRIGHT_CLI),
                QFile::exists(session)
                    ? QStringList{QStringLiteral("resume"), session}
                    : QStringList{QStringLiteral("evolve"), QStringLiteral("--task"), m_task,
                        QStringLiteral("--session"), session, QStringLiteral("--evaluations"), QStringLiteral("400"),
                        QStringLiteral("--proposer"), QStringLiteral("manual:") + folder});
            // Killed around the moment in which replies are taken.
            for (std::uint64_t looks = 20 + random.below(60); looks > 0; --looks) {
                QVERIFY2(!process.waitForFinished(20), process.readAllStandardError().constData());
                person.look();
            }
            ::kill(static_cast<pid_t>(process.processId()), run + 1 < runs ? SIGKILL : SIGINT);
            QVERIFY(process.waitForFinished(patience));
        }
        auto reader = SessionReader::open(session.toStdString());
        QVERIFY2(reader.has_value(), reader ? "" : reader.error().text.c_str());
        const auto state = (*reader)->load();
        QVERIFY2(state.has_value(), state ? "" : state.error().text.c_str());
        QVERIFY(state->modelRequests.size() >= 4);
        std::set<std::string> places;
        int answered = 0;
        for (const ModelRequest& modelRequest : state->modelRequests) {
            QVERIFY(places.insert(modelRequest.place).second);
            const QString path = folder + QStringLiteral("/") + QString::fromStdString(modelRequest.place);
            if (modelRequest.state == ModelRequestState::Open)
                continue;
            ++answered;
            QFile reply(path + QStringLiteral(".reply.md"));
            QVERIFY(reply.open(QIODevice::ReadOnly));
            QCOMPARE((*reader)->text(modelRequest.answer.reply).value(), reply.readAll().toStdString());
            QCOMPARE(std::count_if(state->proposals.begin(), state->proposals.end(),
                         [&](const Proposal& p) { return p.modelRequest == modelRequest.id; }),
                1);
        }
        QVERIFY(answered > 0);
        for (const QString& name : person.seen) // nobody was asked what the record does not know
            QVERIFY2(places.contains(name.left(4).toStdString()), qPrintable(name));
    }

    void aBusyMachineIsToldWhileTheRunWaits()
    {
        const Run run = cli({QStringLiteral("evolve"), QStringLiteral("--task"), m_task, QStringLiteral("--session"),
                                file("busy.tilewright"), QStringLiteral("--evaluations"), QStringLiteral("3")},
            " --busy 1");
        QVERIFY2(run.exitCode == 0, run.err.constData());
        const QString told = QString::fromUtf8(run.err);
        QVERIFY2(told.contains(QRegularExpression(QStringLiteral(
                     "0/3 evaluations \\([123] more in progress\\) · 0/min · waiting: the machine is too busy "
                     "to time \\(another process ran on the measuring core\\); attempt 1 failed: 9 of 11 "
                     "blocks of samples on 64×64×64 were disturbed; attempt 2 in "))),
            run.err.constData());
        QVERIFY2(run.err.contains("3/3 evaluations"), run.err.constData());
    }

    void aRunThatNeverGotToMeasureSaysWhyAtItsEnd()
    {
        const QStringList call{QStringLiteral("evolve"), QStringLiteral("--task"), m_task,
            QStringLiteral("--wall-time"), QStringLiteral("4"), QStringLiteral("--session")};
        const Run told = cli(call + QStringList{file("unmeasured.tilewright")}, " --busy 100000");
        QVERIFY2(told.exitCode == 0, told.err.constData());
        QVERIFY2(told.out.contains("evaluations  0 (")
                && told.out.contains(
                    "\nat the end   waiting: the machine is too busy to time (another process ran on the "
                    "measuring core); attempt "),
            told.out.constData());
        const Run json
            = cli(call + QStringList{file("unmeasured2.tilewright"), QStringLiteral("--json")}, " --busy 100000");
        const QJsonObject wait = json.json().value(QStringLiteral("waited_for")).toObject();
        QCOMPARE(wait.value(QStringLiteral("code")).toString(), QStringLiteral("machine/busy"));
        QVERIFY(wait.value(QStringLiteral("text"))
                    .toString()
                    .startsWith(QStringLiteral("waiting: the machine is too busy")));
        const Run good = cli(
            {QStringLiteral("evolve"), QStringLiteral("--task"), m_task, QStringLiteral("--evaluations"),
                QStringLiteral("3"), QStringLiteral("--session"), file("waited.tilewright"), QStringLiteral("--json")},
            " --busy 1");
        QVERIFY2(good.json().contains(QStringLiteral("best")) && !good.json().contains(QStringLiteral("waited_for")),
            good.out.constData());
    }

    void aRunThatWasKilledIsShownAsInterruptedAndOneThatRunsAsRunning()
    {
        const QString session = file("cut.tilewright");
        QProcess process;
        process.setProcessEnvironment(environmentFor(m_folder.path(), " --delay-ms 20"));
        process.start(QStringLiteral(TILEWRIGHT_CLI),
            {QStringLiteral("evolve"), QStringLiteral("--task"), m_task, QStringLiteral("--session"), session,
                QStringLiteral("--evaluations"), QStringLiteral("100000")});
        const auto phase = [&] {
            return cli({QStringLiteral("show"), session, QStringLiteral("--json")})
                .json()
                .value(QStringLiteral("phase"))
                .toString();
        };
        QVERIFY(QTest::qWaitFor([&] { return phase() == QStringLiteral("running"); }, patience));
        ::kill(static_cast<pid_t>(process.processId()), SIGKILL);
        QVERIFY(process.waitForFinished(patience));
        QTRY_COMPARE_WITH_TIMEOUT(phase(), QStringLiteral("paused"), patience);
        const Run text = cli({QStringLiteral("show"), session});
        QVERIFY2(text.out.contains("state        paused: interrupted\n"), text.out.constData());
    }

    void interruptingPausesAndResumingFinishes()
    {
        QProcess process;
        process.setProcessEnvironment(environmentFor(m_folder.path(), " --delay-ms 5"));
        const QString session = file("interrupted.tilewright");
        process.start(QStringLiteral(TILEWRIGHT_CLI),
            {QStringLiteral("evolve"), QStringLiteral("--task"), m_task, QStringLiteral("--session"), session,
                QStringLiteral("--evaluations"), QStringLiteral("60")});
        QVERIFY(QTest::qWaitFor(
            [&] {
                auto reader = SessionReader::open(session.toStdString());
                const auto state = reader ? (*reader)->load() : std::unexpected(reader.error());
                return state && state->evaluationsStarted >= 4;
            },
            patience));
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(patience));
        QCOMPARE(process.exitCode(), 130);
        auto state = SessionReader::open(session.toStdString()).value()->load().value();
        QCOMPARE(state.phase, events::Phase::Paused);
        QVERIFY(state.evaluationsStarted < 60);
        for (const Candidate& candidate : state.candidates)
            QVERIFY(candidate.stage == Stage::Done || candidate.stage == Stage::Queued);
        const Run resumed = cli({QStringLiteral("resume"), session, QStringLiteral("--evaluations"),
            QStringLiteral("+20"), QStringLiteral("--json")});
        QCOMPARE(resumed.exitCode, 0);
        QCOMPARE(resumed.json().value(QStringLiteral("evaluations")).toInt(), state.evaluationsStarted + 20);
    }

    void aRunThatIsToldToEndByTheMachineIsNotSaidToBePausedByHand_data()
    {
        QTest::addColumn<int>("signal");
        QTest::addColumn<QByteArray>("why");
        QTest::newRow("told to end") << SIGTERM << QByteArray("the program was ended externally");
        QTest::newRow("terminal closed") << SIGHUP << QByteArray("the terminal was closed");
    }

    void aRunThatIsToldToEndByTheMachineIsNotSaidToBePausedByHand()
    {
        QFETCH(int, signal);
        QFETCH(QByteArray, why);
        QProcess process;
        process.setProcessEnvironment(environmentFor(m_folder.path(), " --delay-ms 5"));
        const QString session = file(QByteArray("told-by-") + QByteArray::number(signal) + ".tilewright");
        process.start(QStringLiteral(TILEWRIGHT_CLI),
            {QStringLiteral("evolve"), QStringLiteral("--task"), m_task, QStringLiteral("--session"), session,
                QStringLiteral("--evaluations"), QStringLiteral("100000")});
        QVERIFY(QTest::qWaitFor([&] { return SessionReader::open(session.toStdString()).has_value(); }, patience));
        ::kill(static_cast<pid_t>(process.processId()), signal);
        QVERIFY(process.waitForFinished(patience));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 130);
        const Run shown = cli({QStringLiteral("show"), session});
        QVERIFY2(shown.out.contains("paused: " + why + "\n"), shown.out.constData());
        const Run resumed = cli({QStringLiteral("resume"), session, QStringLiteral("--evaluations"),
            QString::number(SessionReader::open(session.toStdString()).value()->load()->evaluationsStarted + 2)});
        QVERIFY2(resumed.exitCode == 0, resumed.err.constData());
    }

    void aRunThatIsToOutliveItsTerminalDoes()
    {
        QProcess process;
        process.setProcessEnvironment(environmentFor(m_folder.path(), " --delay-ms 5"));
        process.setChildProcessModifier([] { ::signal(SIGHUP, SIG_IGN); }); // nohup
        const QString session = file("nohup.tilewright");
        process.start(QStringLiteral(TILEWRIGHT_CLI),
            {QStringLiteral("evolve"), QStringLiteral("--task"), m_task, QStringLiteral("--session"), session,
                QStringLiteral("--evaluations"), QStringLiteral("100000")});
        const auto started = [&] {
            auto reader = SessionReader::open(session.toStdString());
            const auto state = reader ? (*reader)->load() : std::unexpected(reader.error());
            return state ? state->evaluationsStarted : 0;
        };
        QVERIFY(QTest::qWaitFor([&] { return started() > 0; }, patience));
        ::kill(static_cast<pid_t>(process.processId()), SIGHUP);
        const auto before = started();
        QVERIFY(QTest::qWaitFor([&] { return started() > before + 20; }, patience));
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(patience));
        const Run shown = cli({QStringLiteral("show"), session});
        QVERIFY2(!shown.out.contains("SIGHUP"), shown.out.constData());
    }

    void showAndResumeTellTheSameOfARunThatWasCutOff()
    {
        QProcess process;
        process.setProcessEnvironment(environmentFor(m_folder.path(), " --busy-after 5"));
        const QString session = file("recovered.tilewright");
        process.start(QStringLiteral(TILEWRIGHT_CLI),
            {QStringLiteral("evolve"), QStringLiteral("--task"), m_task, QStringLiteral("--session"), session,
                QStringLiteral("--evaluations"), QStringLiteral("20")});
        const auto shown = [&] { return cli({QStringLiteral("show"), session}).out; };
        QVERIFY(QTest::qWaitFor([&] { return shown().contains(" more in progress) in "); }, patience));
        ::kill(static_cast<pid_t>(process.processId()), SIGKILL);
        QVERIFY(process.waitForFinished(patience));
        const auto state = SessionReader::open(session.toStdString()).value()->load().value();
        QVERIFY(state.evaluationsStarted > state.evaluationsDone);
        const QByteArray done = QByteArray::number(static_cast<qlonglong>(state.evaluationsDone)),
                         begun
            = QByteArray::number(static_cast<qlonglong>(state.evaluationsStarted - state.evaluationsDone));
        QVERIFY2(
            shown().contains("evaluations  " + done + " (" + begun + " more in progress) in "), shown().constData());
        const Run resumed = cli({QStringLiteral("resume"), session});
        QVERIFY2(resumed.exitCode == 0, resumed.err.constData());
        QVERIFY2(resumed.err.contains("Recovered " + done + (done == "1" ? " evaluation, " : " evaluations, ") + begun
                     + (begun == "1" ? " was incomplete" : " were incomplete")),
            resumed.err.constData());
    }
};

TILEWRIGHT_TEST(TestEndedRuns)
#include "test_ended_runs.moc"
