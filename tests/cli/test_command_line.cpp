// SPDX-License-Identifier: GPL-3.0-or-later
// The command line killed with SIGKILL at random moments and resumed each time: nothing recorded is lost or doubled,
// the budget comes out exact. Also what the command line answers to good and bad calls.
#include "core/base/random.h"
#include "core/store/session_reader.h"
#include "core/store/session_writer.h"
#include "tests/cli/run.h"
#include "tests/engine/person.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <filesystem>
#include <set>

using namespace tilewright;

namespace {

QProcessEnvironment environmentFor(const QString& folder, const char* manners)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(
        QStringLiteral("TILEWRIGHT_NODE"), QStringLiteral(TILEWRIGHT_FAKE_NODE) + QString::fromLatin1(manners));
    environment.insert(QStringLiteral("XDG_DATA_HOME"), folder);
    environment.insert(QStringLiteral("XDG_CACHE_HOME"), folder + QStringLiteral("/cache"));
    return environment;
}

/// The rows of the record themselves, in their order.
std::vector<std::string> eventsOf(const QString& session)
{
    std::vector<std::string> rows;
    const QString name = QStringLiteral("rows");
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), name);
        database.setConnectOptions(QStringLiteral("QSQLITE_OPEN_READONLY"));
        database.setDatabaseName(session);
        QSqlQuery query(database);
        if (database.open()
            && query.exec(QStringLiteral("SELECT run, seq, at_utc, kind, json FROM event ORDER BY run, seq")))
            while (query.next()) {
                std::string row;
                for (int column = 0; column < 5; ++column)
                    row += query.value(column).toString().toStdString() + '\n';
                rows.push_back(std::move(row));
            }
    }
    QSqlDatabase::removeDatabase(name);
    return rows;
}

} // namespace

class TestCommandLine : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    const QString m_task = QStringLiteral(TILEWRIGHT_SOURCE_DIR "/kernels/gemm-fp32-cpu");

    QString file(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }

    Run cli(const QStringList& arguments, const char* manners = "") const
    {
        return runToItsEnd(environmentFor(m_folder.path(), manners), arguments);
    }

    static QJsonObject object(const QByteArray& text)
    {
        QJsonParseError problem;
        const QJsonDocument document = QJsonDocument::fromJson(text, &problem);
        return problem.error == QJsonParseError::NoError ? document.object() : QJsonObject();
    }

    /// As a shell pipes it.
    static Run piped(const QStringList& arguments, const QByteArray& input)
    {
        QProcess process;
        process.start(QStringLiteral(TILEWRIGHT_CLI), arguments);
        process.write(input);
        process.closeWriteChannel();
        if (!process.waitForFinished(patience))
            return {};
        return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
    }

private Q_SLOTS:
    void aReplyFromAPipeIsAppliedOrRefusedWithItsCode()
    {
        const QString source = file("program.cpp");
        QFile program(source);
        QVERIFY(program.open(QIODevice::WriteOnly));
        program.write("// EVOLVE-BLOCK-START\nint a = 1;\nint b = 2;\n// EVOLVE-BLOCK-END\n");
        program.close();
        const QStringList command{QStringLiteral("patch"), QStringLiteral("--source"), source,
            QStringLiteral("--reply"), QStringLiteral("-")};
        const Run applied = piped(command, "<<<<<<< SEARCH\nint a = 1;\n=======\nint a = 7;\n>>>>>>> REPLACE\n");
        QVERIFY2(applied.exitCode == 0, applied.err.constData());
        QCOMPARE(applied.out, QByteArray("// EVOLVE-BLOCK-START\nint a = 7;\nint b = 2;\n// EVOLVE-BLOCK-END\n"));
        const Run refused = piped(command, "I would rather not.");
        QCOMPARE(refused.exitCode, 3);
        QVERIFY2(refused.err.startsWith("NO_DIFF: "), refused.err.constData());
        QVERIFY(refused.out.isEmpty());
    }

    void aPipeIsReadToItsEndAndAWaitForItIsTold()
    {
        const QString source = file("fifo.cpp"), reply = file("reply.txt");
        for (const auto& [path, text] : {std::pair(source, "// EVOLVE-BLOCK-START\nint a = 1;\n// EVOLVE-BLOCK-END\n"),
                 std::pair(reply, "<<<<<<< SEARCH\nint a = 1;\n=======\nint a = 7;\n>>>>>>> REPLACE\n")}) {
            QFile written(path);
            QVERIFY(written.open(QIODevice::WriteOnly));
            written.write(text);
        }
        // Nobody writes until the wait was told.
        const QString script = QStringLiteral("mkfifo \"$0/fifo\" || exit 99\n"
                                              "\"$1\" patch --source \"$2\" --reply \"$0/fifo\" 2> \"$0/told\" &\n"
                                              "run=$!\n"
                                              "for i in $(seq 600); do grep -q waiting \"$0/told\" && break; sleep "
                                              "0.1; done\n"
                                              "grep -q \"write to the pipe $0/fifo\" \"$0/told\" || exit 98\n"
                                              "cat \"$3\" > \"$0/fifo\"\n"
                                              "wait $run");
        QProcess process;
        process.start(QStringLiteral("sh"),
            {QStringLiteral("-c"), script, m_folder.path(), QStringLiteral(TILEWRIGHT_CLI), source, reply});
        QVERIFY(process.waitForFinished(patience));
        QCOMPARE(process.exitCode(), 0);
        QVERIFY(process.readAllStandardOutput().contains("int a = 7;"));
    }

    void everyFormThatARunTakesIsAppliedByHandAsWell()
    {
        const QString source = file("forms.cpp");
        QFile program(source);
        QVERIFY(program.open(QIODevice::WriteOnly));
        program.write("int f();\n// EVOLVE-BLOCK-START\nint a = 1;\nint b = 2;\n// EVOLVE-BLOCK-END\n");
        program.close();
        const QStringList command{QStringLiteral("patch"), QStringLiteral("--source"), source,
            QStringLiteral("--reply"), QStringLiteral("-")};
        const QByteArray block = "```cpp\nint a = 3;\n```\n";
        const Run bare = piped(command, block); // a fence may be an aside: only the prompt tells
        QVERIFY(bare.exitCode == 3 && bare.err.startsWith("MALFORMED: "));
        const Run whole = piped(command + QStringList{QStringLiteral("--prompt"), QStringLiteral("rewrite")}, block);
        QVERIFY2(whole.exitCode == 0, whole.err.constData());
        QCOMPARE(whole.out, QByteArray("int f();\n// EVOLVE-BLOCK-START\nint a = 3;\n// EVOLVE-BLOCK-END\n"));

        QByteArray several;
        for (const char* value : {"7", "8"})
            several += QByteArray("<proposal>\n<reasoning>\nr\n</reasoning>\n<diff>\n@@\n-int a = 1;\n+int a = ")
                + value + ";\n</diff>\n</proposal>\n";
        const Run first = piped(command, several);
        QVERIFY2(first.exitCode == 0 && first.out.contains("int a = 7;"), first.err.constData());
        QVERIFY(first.err.contains("proposal: number 1 of 2\n"));
        const Run second = piped(command + QStringList{QStringLiteral("--proposal"), QStringLiteral("2")}, several);
        QVERIFY2(second.exitCode == 0 && second.out.contains("int a = 8;"), second.err.constData());
        const QJsonObject told = object(piped(command + QStringList{QStringLiteral("--json")}, several).out);
        QCOMPARE(told[QStringLiteral("proposals")].toInt(), 2);
        for (const char* wrong : {"--proposal=3", "--prompt=poem"})
            QCOMPARE(piped(command + QStringList{QString::fromLatin1(wrong)}, several).exitCode, 2);
    }

    void whatCannotBePrintedIsNotDone_data()
    {
        QTest::addColumn<QString>("command");
        QTest::newRow("overview") << QStringLiteral("--help");
        QTest::newRow("tasks") << QStringLiteral("tasks --json");
        QTest::newRow("patch") << QStringLiteral("patch --source %1 --reply %2");
        QTest::newRow("demo") << QStringLiteral("demo gemm-cpu --to %3");
    }

    void whatCannotBePrintedIsNotDone()
    {
        QFETCH(QString, command);
        for (const auto& [name, text] :
            {std::pair("full.cpp", "// EVOLVE-BLOCK-START\nint a = 1;\n// EVOLVE-BLOCK-END\n"),
                std::pair("full.md", "<<<<<<< SEARCH\nint a = 1;\n=======\nint a = 7;\n>>>>>>> REPLACE\n")}) {
            QFile out(file(name));
            QVERIFY(out.open(QIODevice::WriteOnly));
            out.write(text);
        }
        command.replace(QStringLiteral("%1"), file("full.cpp"));
        command.replace(QStringLiteral("%2"), file("full.md"));
        command.replace(QStringLiteral("%3"), file("full.tilewright"));
        QProcess process;
        process.setProcessEnvironment(environmentFor(m_folder.path(), ""));
        process.setStandardOutputFile(QStringLiteral("/dev/full"));
        process.start(QStringLiteral(TILEWRIGHT_CLI), command.split(u' '));
        QVERIFY(process.waitForFinished(patience));
        const QByteArray says = process.readAllStandardError();
        QVERIFY2(process.exitCode() == 1, says.constData());
        QCOMPARE(says.count("standard output could not be written"), 1);
    }

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
        const QJsonObject shown = object(process.readAllStandardOutput());
        const int kept = shown.value(QStringLiteral("evaluations")).toInt();
        QVERIFY(kept > 0 && kept < 3000);
        QCOMPARE(says.contains("not saved: what happened after"), !saved);
        if (saved) {
            QCOMPARE(object(tells).value(QStringLiteral("evaluations")).toInt(), kept);
            QCOMPARE(shown.value(QStringLiteral("phase")).toString(), QStringLiteral("paused"));
        } else {
            QVERIFY2(tells.isEmpty(), tells.constData());
        }
    }

    void killedFiftyTimesNothingIsLostOrDoubled()
    {
        const QString session = file("killed.tilewright");
        int budget = 260; // grows whenever it is used up before all kills are done
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
        QCOMPARE(object(last.out).value(QStringLiteral("evaluations")).toInt(), budget);

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
        QVERIFY(state->inquiries.size() >= 4);
        std::set<std::string> places;
        int answered = 0;
        for (const Inquiry& inquiry : state->inquiries) {
            QVERIFY(places.insert(inquiry.place).second);
            const QString path = folder + QStringLiteral("/") + QString::fromStdString(inquiry.place);
            if (inquiry.state == InquiryState::Open)
                continue;
            ++answered;
            QFile reply(path + QStringLiteral(".reply.md"));
            QVERIFY(reply.open(QIODevice::ReadOnly));
            QCOMPARE((*reader)->text(inquiry.answer.reply).value(), reply.readAll().toStdString());
            QCOMPARE(std::count_if(state->proposals.begin(), state->proposals.end(),
                         [&](const Proposal& p) { return p.inquiry == inquiry.id; }),
                1);
        }
        QVERIFY(answered > 0);
        for (const QString& name : person.seen) // nobody was asked what the record does not know
            QVERIFY2(places.contains(name.left(4).toStdString()), qPrintable(name));
    }

    /// Scores of different times may be higher than that of the best, which won the direct comparison.
    void showListsTheBestFirst()
    {
        QCOMPARE(
            cli({QStringLiteral("demo"), QStringLiteral("gemm-cpu"), QStringLiteral("--to"), file("best.tilewright")})
                .exitCode,
            0);
        const Run shown = cli({QStringLiteral("show"), file("best.tilewright"), QStringLiteral("--json"),
            QStringLiteral("--top"), QStringLiteral("4")});
        const QJsonObject json = object(shown.out);
        const QJsonArray listed = json.value(QStringLiteral("candidates")).toArray();
        QCOMPARE(listed.size(), 4);
        QCOMPARE(listed.first().toObject().value(QStringLiteral("id")),
            json.value(QStringLiteral("best")).toObject().value(QStringLiteral("id")));
        const auto score
            = [&](int place) { return listed.at(place).toObject().value(QStringLiteral("score")).toDouble(); };
        QVERIFY2(score(1) > score(0), "a recording in which the best has the highest score tells nothing here");
        QVERIFY(score(1) >= score(2) && score(2) >= score(3));
    }

    void evolveEndsWithOneJsonObject()
    {
        const Run run = cli({QStringLiteral("evolve"), QStringLiteral("--task"), m_task, QStringLiteral("--session"),
            file("json.tilewright"), QStringLiteral("--evaluations"), QStringLiteral("30"), QStringLiteral("--json")});
        QCOMPARE(run.exitCode, 0);
        const QJsonObject json = object(run.out);
        QCOMPARE(json.keys(),
            QStringList({QStringLiteral("best"), QStringLiteral("evaluations"), QStringLiteral("outcomes"),
                QStringLiteral("session"), QStringLiteral("task"), QStringLiteral("trace"), QStringLiteral("wall_s")}));
        QCOMPARE(json.value(QStringLiteral("evaluations")).toInt(), 30);
        const QJsonObject best = json.value(QStringLiteral("best")).toObject();
        QVERIFY(best.value(QStringLiteral("confirmed")).toBool());
        QVERIFY(best.value(QStringLiteral("score")).toDouble() > 1);
        QVERIFY(best.contains(QStringLiteral("heldout_vs_vendor")) && best.contains(QStringLiteral("vs_vendor")));

        const Run shown = cli({QStringLiteral("show"), file("json.tilewright"), QStringLiteral("--json"),
            QStringLiteral("--top"), QStringLiteral("5")});
        QCOMPARE(shown.exitCode, 0);
        const QJsonObject show = object(shown.out);
        QCOMPARE(show.value(QStringLiteral("best")), json.value(QStringLiteral("best")));
        QCOMPARE(show.value(QStringLiteral("outcomes")), json.value(QStringLiteral("outcomes")));
        QCOMPARE(show.value(QStringLiteral("phase")).toString(), QStringLiteral("finished"));
        QCOMPARE(show.value(QStringLiteral("candidates")).toArray().size(), 5);
        QCOMPARE(show.value(QStringLiteral("islands")).toArray().size(), 4);

        // How it came about, in one command: for programs and for people.
        const QJsonArray after = show.value(QStringLiteral("best_after")).toArray();
        QCOMPARE(after.size(), 3);
        for (const auto& [line, evaluations] : {std::pair{0, 1}, {1, 10}, {2, 30}})
            QCOMPARE(after.at(line).toObject().value(QStringLiteral("evaluations")).toInt(), evaluations);
        const QJsonObject last = after.last().toObject(),
                          newest = show.value(QStringLiteral("bests")).toArray().last().toObject();
        for (const QString& key : {QStringLiteral("score"), QStringLiteral("vs_vendor")})
            QCOMPARE(last.value(key), best.value(key));
        QCOMPARE(last.value(QStringLiteral("candidate")), best.value(QStringLiteral("id")));
        QCOMPARE(newest.value(QStringLiteral("candidate")), best.value(QStringLiteral("id")));
        QVERIFY(!newest.value(QStringLiteral("moves_added")).toArray().isEmpty()
            || !newest.value(QStringLiteral("moves_removed")).toArray().isEmpty()
            || !newest.value(QStringLiteral("constants")).toArray().isEmpty());
        const Run told = cli({QStringLiteral("show"), file("json.tilewright"), QStringLiteral("--trace")});
        QCOMPARE(told.exitCode, 0);
        const QByteArrayList lines = told.out.trimmed().split('\n');
        QVERIFY2(told.out.contains("\nevaluations  best      evaluated  by             score  vs vendor  new in it\n"),
            told.out.constData());
        QVERIFY2(lines.last().trimmed().startsWith("30  " + best.value(QStringLiteral("id")).toString().toUtf8()),
            told.out.constData());
    }

    void aBusyMachineIsToldWhileTheRunWaits()
    {
        const Run run = cli({QStringLiteral("evolve"), QStringLiteral("--task"), m_task, QStringLiteral("--session"),
                                file("busy.tilewright"), QStringLiteral("--evaluations"), QStringLiteral("3")},
            " --busy 1");
        QVERIFY2(run.exitCode == 0, run.err.constData());
        const QString told = QString::fromUtf8(run.err);
        QVERIFY2(told.contains(QRegularExpression(
                     QStringLiteral("0/3 evaluations \\([123] more begun\\) · 0/min · waiting: the machine is too busy "
                                    "to time \\(another process ran on the measuring core\\); try 1 failed: 9 of 11 "
                                    "blocks of samples on 64×64×64 were disturbed; try 2 in "))),
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
                    "measuring core); try "),
            told.out.constData());
        const Run json
            = cli(call + QStringList{file("unmeasured2.tilewright"), QStringLiteral("--json")}, " --busy 100000");
        const QJsonObject wait = object(json.out).value(QStringLiteral("waited_for")).toObject();
        QCOMPARE(wait.value(QStringLiteral("code")).toString(), QStringLiteral("machine/busy"));
        QVERIFY(wait.value(QStringLiteral("text"))
                    .toString()
                    .startsWith(QStringLiteral("waiting: the machine is too busy")));
        const Run good = cli(
            {QStringLiteral("evolve"), QStringLiteral("--task"), m_task, QStringLiteral("--evaluations"),
                QStringLiteral("3"), QStringLiteral("--session"), file("waited.tilewright"), QStringLiteral("--json")},
            " --busy 1");
        QVERIFY2(object(good.out).contains(QStringLiteral("best"))
                && !object(good.out).contains(QStringLiteral("waited_for")),
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
            return object(cli({QStringLiteral("show"), session, QStringLiteral("--json")}).out)
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

    void aDeviceThatAnotherProcessHoldsIsSaidOnceByEvaluate()
    {
        const QStringList call{QStringLiteral("evaluate"), QStringLiteral("--task"), m_task, QStringLiteral("--source"),
            m_task + QStringLiteral("/seed.cpp")};
        const QByteArray line = "tilewright-cli: waiting for cpu0, held by another process\n";
        const Run held = cli(call, " --taken-ms 3000");
        QVERIFY2(held.exitCode == 0 && held.err.count(line) == 1, held.err.constData());
        const Run alone = cli(call);
        QVERIFY2(alone.exitCode == 0 && !alone.err.contains("waiting for"), alone.err.constData());
    }

    void whereAFileIsPackedOrAFolderReadOnlyTheCommandSaysWhatToDo()
    {
        const QString packed = QStringLiteral(TILEWRIGHT_SOURCE_DIR "/resources/demo/gemm-cpu.tilewright.zst");
        const Run shown = cli({QStringLiteral("show"), packed});
        QCOMPARE(shown.exitCode, 2);
        QVERIFY2(
            shown.err.contains("is a packed session") && shown.err.contains("'tilewright-cli demo gemm-cpu' unpacks"),
            shown.err.constData());
        const Run several = cli({QStringLiteral("evaluate"), QStringLiteral("--task"),
            QStringLiteral(TILEWRIGHT_SOURCE_DIR "/kernels/gemm-fp32"), QStringLiteral("--source"), packed,
            QStringLiteral("--device"), QStringLiteral("cuda:0,cuda:1")});
        QCOMPARE(several.exitCode, 2);
        QVERIFY2(several.err.contains("names several devices, and one program is measured on one"), several.err);
        // Wherever a session cannot be made, the exit code is that of a folder that is missing.
        for (const char* folder : {"/proc", "/sys", "/dev/null"}) {
            const Run run = cli({QStringLiteral("evolve"), QStringLiteral("--task"), m_task,
                QStringLiteral("--session"), QString::fromLatin1(folder) + QStringLiteral("/a.tilewright"),
                QStringLiteral("--evaluations"), QStringLiteral("1")});
            QVERIFY2(run.exitCode == 6, run.err);
        }
    }

    void evaluateTellsAFailedBuildOnceAndInPlainLetters()
    {
        if (QStandardPaths::findExecutable(QStringLiteral("g++")).isEmpty())
            QSKIP("there is no compiler");
        const QTemporaryDir folder;
        QProcessEnvironment environment = environmentFor(folder.path(), "");
        environment.insert(QStringLiteral("TILEWRIGHT_NODE"), QStringLiteral(TILEWRIGHT_BIN_DIR "/tilewright-node"));
        environment.insert(QStringLiteral("XDG_CACHE_HOME"), folder.path());
        const auto told = [&](const QString& source) {
            return runToItsEnd(environment,
                {QStringLiteral("evaluate"), QStringLiteral("--task"), m_task, QStringLiteral("--source"), source});
        };
        QFile file(folder.filePath(QStringLiteral("junk.cpp")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("int x\x1b[31m\xff\xfe;\n#error \x1b[2J\n");
        file.close();
        const Run junk = told(file.fileName());
        QCOMPARE(junk.exitCode, 5);
        QVERIFY(junk.out.startsWith("build_failed: build/error\n"));
        QVERIFY2(!junk.out.contains('\x1b') && !junk.out.contains('\xff'), junk.out.constData());
        const QByteArray first = junk.out.mid(junk.out.indexOf("candidate.cpp:")).split('\n').first();
        QCOMPARE(junk.out.count(first), 1);
        const Run cuda = told(QStringLiteral(TILEWRIGHT_SOURCE_DIR "/kernels/gemm-fp32/seed.cu"));
        QCOMPARE(cuda.exitCode, 5);
        QVERIFY2(cuda.out.startsWith(
                     "build_failed: build/error\nthis looks like a CUDA program, and the task is for the CPU; "),
            cuda.out.constData());
    }

    void evaluateTriesAgainWithAnotherNodeWhereOneIsKilled()
    {
        const QTemporaryDir folder;
        const QString node = folder.filePath(QStringLiteral("node.sh"));
        QFile script(node);
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write("#!/bin/sh\nif mkdir '" + folder.filePath(QStringLiteral("once")).toUtf8()
            + "' 2>/dev/null; then exec " TILEWRIGHT_FAKE_NODE " --kill-node 3; fi\nexec " TILEWRIGHT_FAKE_NODE "\n");
        script.close();
        QVERIFY(script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        QProcessEnvironment environment = environmentFor(folder.path(), "");
        environment.insert(QStringLiteral("TILEWRIGHT_NODE"), node);
        const Run run = runToItsEnd(environment,
            {QStringLiteral("evaluate"), QStringLiteral("--task"), m_task, QStringLiteral("--source"),
                m_task + QStringLiteral("/seed.cpp")});
        QVERIFY2(run.exitCode == 0, run.err.constData());
        QVERIFY(run.out.startsWith("ranked\n"));
        QCOMPARE(run.err.count("which Tilewright did not send; trying again from the start\n"), 1);
    }

    void aDataFolderThatCannotBeMadeIsMissing()
    {
        QProcess process;
        process.setProcessEnvironment(environmentFor(QStringLiteral("/dev/null/data"), ""));
        process.start(QStringLiteral(TILEWRIGHT_CLI), {QStringLiteral("evolve"), QStringLiteral("--task"), m_task});
        QVERIFY(process.waitForFinished(patience));
        const QByteArray says = process.readAllStandardError();
        QVERIFY2(process.exitCode() == 6 && says.contains("/dev/null/data/tilewright/sessions cannot be made"),
            says.constData());
        const Run named = cli({QStringLiteral("evolve"), QStringLiteral("--task"), m_task, QStringLiteral("--session"),
            QStringLiteral("/dev/null/data/a.tilewright")});
        QCOMPARE(named.exitCode, 6);
    }

    void whyATraceMaySinkIsToldByTheHelp()
    {
        const Run run = cli({QStringLiteral("show"), QStringLiteral("--help")});
        QVERIFY2(run.out.simplified().contains("the best is who won the direct comparison"), run.out.constData());
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
        QCOMPARE(object(resumed.out).value(QStringLiteral("evaluations")).toInt(), state.evaluationsStarted + 20);
    }

    void aRunThatIsToldToEndByTheMachineIsNotSaidToBePausedByHand_data()
    {
        QTest::addColumn<int>("signal");
        QTest::addColumn<QByteArray>("why");
        QTest::newRow("told to end") << SIGTERM << QByteArray("the program was told to end from outside");
        QTest::newRow("terminal closed") << SIGHUP << QByteArray("its terminal was closed");
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

    void theFolderOfANewSessionIsMade()
    {
        const QString session = file("not/there/yet/new.tilewright");
        const Run run = cli({QStringLiteral("evolve"), QStringLiteral("--task"), m_task, QStringLiteral("--session"),
            session, QStringLiteral("--evaluations"), QStringLiteral("2")});
        QVERIFY2(run.exitCode == 0 && QFile::exists(session), run.err.constData());
    }

    void aModelsFileIsNamedOnce()
    {
        const Run run = cli({QStringLiteral("evolve"), QStringLiteral("--task"), m_task, QStringLiteral("--proposer"),
            QStringLiteral("model:a.json"), QStringLiteral("--models"), QStringLiteral("b.json")});
        QVERIFY2(run.exitCode == 2 && run.err.contains("names the models file already"), run.err.constData());
    }

    void aBudgetBelowWhatIsDoneIsRefusedAndTellsHowToSayMore()
    {
        const QString session = file("more.tilewright");
        QCOMPARE(cli({QStringLiteral("evolve"), QStringLiteral("--task"), m_task, QStringLiteral("--session"), session,
                         QStringLiteral("--evaluations"), QStringLiteral("8")})
                     .exitCode,
            0);
        const auto resumed = [&](const char* evaluations) {
            return cli({QStringLiteral("resume"), session, QStringLiteral("--evaluations"),
                QString::fromLatin1(evaluations), QStringLiteral("--json")});
        };
        const Run refused = resumed("3");
        QCOMPARE(refused.exitCode, 2);
        QVERIFY2(
            refused.err.contains("--evaluations 3 is less than what is done: 8 evaluations — the budget counts from "
                                 "the session's beginning; for 3 more say --evaluations +3"),
            refused.err.constData());
        QCOMPARE(refused.err.count('\n'), 1);
        const Run more = resumed("+3");
        QVERIFY2(more.exitCode == 0, more.err.constData());
        QCOMPARE(more.json().value(QStringLiteral("evaluations")).toInt(), 11);
        const Run nonsense = resumed("+some");
        QCOMPARE(nonsense.exitCode, 2);
        QVERIFY2(nonsense.err.contains(
                     "takes a whole number from 0 to 10000000 (0: no limit), or +N for N more, not '+some'"),
            nonsense.err.constData());
        QCOMPARE(resumed("12").json().value(QStringLiteral("evaluations")).toInt(), 12);
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
        QVERIFY(QTest::qWaitFor([&] { return shown().contains(" more begun) in "); }, patience));
        ::kill(static_cast<pid_t>(process.processId()), SIGKILL);
        QVERIFY(process.waitForFinished(patience));
        const auto state = SessionReader::open(session.toStdString()).value()->load().value();
        QVERIFY(state.evaluationsStarted > state.evaluationsDone);
        const QByteArray done = QByteArray::number(static_cast<qlonglong>(state.evaluationsDone)),
                         begun
            = QByteArray::number(static_cast<qlonglong>(state.evaluationsStarted - state.evaluationsDone));
        QVERIFY2(shown().contains("evaluations  " + done + " (" + begun + " more begun) in "), shown().constData());
        const Run resumed = cli({QStringLiteral("resume"), session});
        QVERIFY2(resumed.exitCode == 0, resumed.err.constData());
        QVERIFY2(resumed.err.contains("Recovered " + done + (done == "1" ? " evaluation, " : " evaluations, ") + begun
                     + (begun == "1" ? " was incomplete" : " were incomplete")),
            resumed.err.constData());
    }

    void badCallsGetOneClearLineAndTheirExitCode_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const char* arguments, int code, const char* says) {
            QTest::newRow(name) << QString::fromLatin1(arguments).split(u' ', Qt::SkipEmptyParts) << code
                                << QString::fromUtf8(says);
        };
        row("no command", "", 2, "Commands:");
        row("unknown command", "dance", 2, "unknown command 'dance'");
        row("unknown option", "evolve --tsak x", 2, "unknown option --tsak");
        row("missing value", "evolve --task", 2, "--task needs a value");
        row("no task", "evolve", 2, "needs --task");
        row("unknown task", "evolve --task nothing-of-that-name", 2, "nothing-of-that-name");
        row("bad number", "evolve --task x --evaluations many", 2, "--evaluations takes a whole number");
        row("a seed beyond its limit", "evolve --task x --seed 9223372036854775808", 2,
            "--seed takes a whole number from 0 to 9223372036854775807");
        row("a tuner with nothing to tune", "evolve --task gemm-fp32-cpu --proposer tuner", 2,
            "mutator, random, model (with --models FILE), manual:DIR and replay:SESSION|DIR work with this task");
        row("negative number", "evolve --task x --evaluations -3", 2, "--evaluations takes a whole number");
        row("bad seconds", "evolve --task x --wall-time soon", 2, "--wall-time takes seconds");
        row("no islands", "evolve --task x --islands 0", 2, "--islands takes 1 to 64");
        row("no way", "evolve --task gemm-fp32-cpu --migration A-B", 2, "'A-B' is no way between islands");
        row("a way to nowhere", "evolve --task gemm-fp32-cpu --migration A>Q", 2, "no island Q");
        row("a way to itself", "evolve --task gemm-fp32-cpu --migration B>C,A>A", 2, "from island A to itself");
        row("migrants all the time", "evolve --task gemm-fp32-cpu --migration-interval 0", 2, "1 to 10000 new members");
        row("migrants of one island", "evolve --task gemm-fp32-cpu --proposer random --migration off", 4, "one island");
        row("two sizes for three", "evolve --task gemm-fp32-cpu --train 64x64", 2, "names no shape of M×N×K");
        row("nothing to train on", "evolve --task gemm-fp32-cpu --train none", 2, "'none' names no shape");
        row("trained on and held out", "evolve --task gemm-fp32-cpu --train 8x8x8 --held-out 8x8x8", 2, "named twice");
        row("shapes twice over", "evolve --task gemm-fp32-cpu --shapes a.csv --train 8x8x8", 2, "leave --train");
        row("a table that is not there", "evolve --task gemm-fp32-cpu --shapes nowhere.csv", 6, "nowhere.csv");
        row("bad proposer", "evolve --task x --proposer oracle", 2, "unknown proposer 'oracle'");
        row("replay of nothing", "evolve --task x --proposer replay:", 2, "write replay:SESSION or replay:DIR");
        row("a folder that is missing", "evolve --task gemm-fp32-cpu --proposer replay:/nowhere/at/all", 6,
            "no session or folder /nowhere/at/all");
        row("no replay", "evolve --task gemm-fp32-cpu --proposer replay:/etc/passwd", 2, "not a Tilewright session");
        row("manual nowhere", "evolve --task x --proposer manual", 2, "write manual:DIR");
        row("manual in no folder", "evolve --task x --proposer manual:", 2, "write manual:DIR");
        row("less money than can be counted", "evolve --task x --proposer model --cost-usd 1e-9", 2,
            "at least one millionth of a dollar");
        row("manual in a file", "evolve --task gemm-fp32-cpu --proposer manual:/etc/passwd", 6, "cannot be used");
        row("mutator with a folder", "evolve --task x --proposer mutator:/tmp", 2, "takes nothing after a colon");
        row("resume nothing", "resume", 2, "resume needs: FILE");
        row("resume missing", "resume /nowhere/a.tilewright", 6, "no session file");
        row("a command to no session", "control /etc/passwd status", 2, "not a Tilewright session");
        row("a session in which nobody runs", "control /nowhere/a.tilewright status", 6, "no session file");
        row("show missing", "show /nowhere/a.tilewright", 6, "no session file");
        row("show too much", "show a b", 2, "unexpected argument 'b'");
        row("show no session", "show /etc/passwd", 2, "not a Tilewright session");
    }

    void badCallsGetOneClearLineAndTheirExitCode()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, exitCode);
        QFETCH(QString, says);
        const Run run = cli(arguments);
        QCOMPARE(run.exitCode, exitCode);
        QVERIFY2(QString::fromUtf8(run.err).contains(says), run.err.constData());
        QVERIFY(run.out.isEmpty());
        if (!arguments.isEmpty())
            QCOMPARE(run.err.count('\n'), 1);
    }

    void everyCommandExplainsItselfWithExitCodes_data()
    {
        QTest::addColumn<QByteArray>("codes"); // that the command can end with
        const std::map<QByteArray, QByteArray> codes{{"control", "0 1 2 3 4 6"}, {"demo", "0 1 2 6"},
            {"doctor", "0 1 2 6"}, {"evaluate", "0 1 2 4 5 6 130"}, {"evolve", "0 1 2 4 5 6 7 130"},
            {"listing", "0 1 2 4 5 6"}, {"patch", "0 1 2 3 6"}, {"resume", "0 1 2 4 5 6 7 130"}, {"show", "0 1 2 6"},
            {"task-from", "0 1 2 4 5 6"}, {"tasks", "0 1 2 4 5 6"}};
        // The commands that there are, as the program lists those that it knows.
        const QByteArrayList lines = cli({QStringLiteral("--help")}).out.split('\n');
        for (qsizetype at = lines.indexOf("Commands:") + 1; lines.value(at).startsWith("  "); ++at) {
            const QByteArray command = lines[at].trimmed().split(' ').first();
            const auto known = codes.find(command);
            QTest::newRow(command.constData()) << (known == codes.end() ? QByteArray("none are known") : known->second);
        }
    }

    void noCommandIsMissingFromTheList()
    {
        const QByteArray help = cli({QStringLiteral("--help")}).out;
        for (const char* command : {"control", "demo", "doctor", "evaluate", "evolve", "listing", "patch", "resume",
                 "show", "task-from", "tasks"})
            QVERIFY2(help.contains(QByteArray("\n  ") + command + ' '), command);
    }

    void everyCommandExplainsItselfWithExitCodes()
    {
        QFETCH(QByteArray, codes);
        const QString command = QString::fromLatin1(QTest::currentDataTag());
        const Run run = cli({command, QStringLiteral("--help")});
        QCOMPARE(run.exitCode, 0);
        QVERIFY(run.out.startsWith("tilewright-cli " + command.toLatin1()));
        const QByteArrayList lines = run.out.split('\n');
        QByteArrayList told, options;
        for (const QByteArray& line : lines.mid(lines.indexOf("Exit codes:") + 1))
            if (line.startsWith("  "))
                told << line.trimmed().split(' ').first();
        QCOMPARE(told.join(' '), codes);
        // Every option that the help names is known to the parser, with a value or without as it says.
        for (const QByteArray& line : lines)
            if (line.startsWith("  --"))
                options << line.trimmed();
        for (const QByteArray& option : options) {
            const QString name = QString::fromLatin1(option.split(' ').first());
            const bool takesValue = option.contains(' ') && option.at(name.size() + 1) != ' ';
            const Run tried = cli({command, takesValue ? name : name + QStringLiteral("=x")});
            QCOMPARE(tried.exitCode, 2);
            QVERIFY2(tried.err.contains(
                         name.toLatin1() + (takesValue ? QByteArray(" needs a value") : QByteArray(" takes no value"))),
                tried.err.constData());
        }
        QCOMPARE(cli({command, QStringLiteral("--no-such-option")}).exitCode, 2);
    }

    void doctorSpeaksOfWhatThisVersionUsesAndOfWhatItDoesNotNeed()
    {
        const Run run = cli({QStringLiteral("doctor"), QStringLiteral("--json")});
        QVERIFY(run.exitCode == 0 || run.exitCode == 6);
        QMap<QString, QJsonObject> findings;
        for (const auto& finding : object(run.out).value(QStringLiteral("findings")).toArray())
            findings.insert(finding.toObject().value(QStringLiteral("what")).toString(), finding.toObject());
        for (const char* what : {"compiler", "OpenBLAS", "driver", "git", "Slurm"}) {
            const QJsonObject finding = findings.value(QString::fromLatin1(what));
            QVERIFY2(!finding.value(QStringLiteral("detail")).toString().isEmpty(), what);
            QCOMPARE(finding.value(QStringLiteral("needed")).toBool(), QByteArray(what) == "compiler");
        }
        for (const char* later : {"git", "Slurm"}) {
            const QJsonObject finding = findings.value(QString::fromLatin1(later));
            QCOMPARE(finding.value(QStringLiteral("found")).toBool(),
                !QStandardPaths::findExecutable(QString::fromLatin1(QByteArray(later) == "git" ? "git" : "sinfo"))
                     .isEmpty());
            QVERIFY(finding.value(QStringLiteral("detail")).toString().contains(QStringLiteral("by this version: ")));
        }
        QCOMPARE(findings.value(QStringLiteral("driver")).value(QStringLiteral("found")).toBool(),
            QFile::exists(QStringLiteral("/proc/driver/nvidia/version")));
    }

    void aToolkitThatIsNamedAndNotThereIsToldOf()
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        const auto toolkit = [&] {
            const Run run = runToItsEnd(environment, {QStringLiteral("doctor"), QStringLiteral("--json")});
            QString detail;
            for (const auto& finding : object(run.out).value(QStringLiteral("findings")).toArray())
                if (finding.toObject().value(QStringLiteral("what")) == QStringLiteral("CUDA toolkit"))
                    detail = finding.toObject().value(QStringLiteral("detail")).toString();
            return detail;
        };
        environment.remove(QStringLiteral("CUDA_PATH"));
        environment.insert(QStringLiteral("CUDA_HOME"), QStringLiteral("/nonexistent"));
        const QString other = toolkit();
        QVERIFY2(other.contains(QStringLiteral("CUDA_HOME is set to /nonexistent, where there is no NVRTC "
                                               "(lib64/libnvrtc.so): it was not used")),
            qPrintable(other));
        environment.remove(QStringLiteral("CUDA_HOME"));
        QVERIFY2(!toolkit().contains(QStringLiteral("not used")), qPrintable(toolkit()));
    }

    void doctorTellsWhetherADeviceOrATaskHasWhatItTakes()
    {
        const QByteArray cpuOnly = "Everything that CPU tasks need is here. ";
        const Run plain = cli({QStringLiteral("doctor")});
        const Run cpu = cli({QStringLiteral("doctor"), QStringLiteral("--task"), m_task});
        QCOMPARE(cpu.exitCode, plain.exitCode);
        const QString gpuTask = QStringLiteral(TILEWRIGHT_SOURCE_DIR "/kernels/gemm-fp32");
        for (const QStringList& asked : {QStringList{QStringLiteral("--device"), QStringLiteral("cuda:0")},
                 QStringList{QStringLiteral("--task"), gpuTask}}) {
            const Run gpu = cli(QStringList{QStringLiteral("doctor")} + asked);
            const bool isComplete = plain.exitCode == 0 && !plain.out.contains("GPU tasks lack");
            QCOMPARE(gpu.exitCode, isComplete ? 0 : 6);
            QVERIFY2(
                isComplete || plain.exitCode == 6 || gpu.out.contains(cpuOnly + "Tasks on cuda:0 lack a "), gpu.out);
        }
        QCOMPARE(cli({QStringLiteral("doctor"), QStringLiteral("--device"), QStringLiteral("cuda:none")}).exitCode, 2);
        const Run several
            = cli({QStringLiteral("doctor"), QStringLiteral("--device"), QStringLiteral("cuda:0,cuda:1")});
        QCOMPARE(several.exitCode, 2);
        QVERIFY2(several.err.contains("names several devices"), several.err);
        QCOMPARE(cli({QStringLiteral("doctor"), QStringLiteral("--device"), QStringLiteral("cuda:0"),
                         QStringLiteral("--task"), m_task})
                     .exitCode,
            6);
    }

    void theMachinesTroubleIsSaidTheSameByEvaluateAndEvolve_data()
    {
        QTest::addColumn<QByteArray>("manners");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("a wrong vendor") << QByteArray(" --wrong-vendor") << 6
                                        << QByteArray("the vendor, which candidates are measured against");
        QTest::newRow("nothing to build with")
            << QByteArray(" --no-compiler") << 6 << QByteArray("install the CUDA toolkit");
        QTest::newRow("no headers") << QByteArray(" --build-fault build/no-headers") << 6 << QByteArray("mend it");
        QTest::newRow("a full disk") << QByteArray(" --machine-fault 0") << 6 << QByteArray("No space left on device");
        QTest::newRow("killed compilers") << QByteArray(" --build-fault machine/killed") << 6 << QByteArray("mend it");
        QTest::newRow("killed nodes") << QByteArray(" --kill-node 1") << 6
                                      << QByteArray("signal 9 (Killed), which Tilewright did not send");
        QTest::newRow("a seed that cannot be tried")
            << QByteArray(" --seed-fault") << 5 << QByteArray("folder is full");
    }

    void theMachinesTroubleIsSaidTheSameByEvaluateAndEvolve()
    {
        QFETCH(QByteArray, manners);
        QFETCH(int, exitCode);
        QFETCH(QByteArray, says);
        const QTemporaryDir folder;
        const Run evaluated = cli({QStringLiteral("evaluate"), QStringLiteral("--task"), m_task,
                                      QStringLiteral("--source"), m_task + QStringLiteral("/seed.cpp")},
            manners.constData());
        QCOMPARE(evaluated.exitCode, exitCode);
        QVERIFY2(evaluated.err.contains(says), evaluated.err.constData());
        const Run evolved = cli({QStringLiteral("evolve"), QStringLiteral("--task"), m_task,
                                    QStringLiteral("--session"), folder.filePath(QStringLiteral("a.tilewright"))},
            manners.constData());
        QCOMPARE(evolved.exitCode, exitCode);
        QVERIFY2(evolved.err.contains(says), evolved.err.constData());
    }

    void anotherDeviceIsRefusedByResumeAndShownByShow()
    {
        const QString session = file("elsewhere.tilewright");
        QCOMPARE(cli({QStringLiteral("evolve"), QStringLiteral("--task"), m_task, QStringLiteral("--session"), session,
                         QStringLiteral("--evaluations"), QStringLiteral("3")})
                     .exitCode,
            0);
        const Run run = cli({QStringLiteral("resume"), session, QStringLiteral("--evaluations"), QStringLiteral("9")},
            " --device-name Other-CPU");
        QCOMPARE(run.exitCode, 6);
        QVERIFY2(run.err.contains("measured on Synthetic CPU (cpu, x86-64, g++ 12.2.0), and here is Other-CPU (cpu"),
            run.err.constData());
        QCOMPARE(run.err.count('\n'), 1);
        QCOMPARE(cli({QStringLiteral("resume"), session, QStringLiteral("--evaluations"), QStringLiteral("9")},
                     " --no-device")
                     .exitCode,
            6);
        const Run shown = cli({QStringLiteral("show"), session, QStringLiteral("--json")}, " --device-name Other-CPU");
        QCOMPARE(shown.exitCode, 0);
        QCOMPARE(
            shown.json()[QStringLiteral("settings")][QStringLiteral("budget")][QStringLiteral("evaluations")].toInt(),
            3); // as it was
        QCOMPARE(shown.json().value(QStringLiteral("phase_reason")).toString(),
            QStringLiteral("evaluations budget used up"));
        const QJsonObject latest = object(shown.out)
                                       .value(QStringLiteral("candidates"))
                                       .toArray()
                                       .first()
                                       .toObject()
                                       .value(QStringLiteral("latest"))
                                       .toObject();
        QVERIFY(latest.value(QStringLiteral("rules_passed")).toArray().contains(QStringLiteral("build")));
        QCOMPARE(latest.value(QStringLiteral("environment")).toObject().value(QStringLiteral("compiler")).toString(),
            QStringLiteral("g++ 12.2.0"));
        // What the line names works: its programs are measured anew here.
        const Run anew
            = cli({QStringLiteral("evolve"), QStringLiteral("--task"), m_task, QStringLiteral("--session"),
                      file("anew.tilewright"), QStringLiteral("--proposer"), QStringLiteral("replay:") + session},
                " --device-name Other-CPU");
        QVERIFY2(anew.exitCode == 0, anew.err.constData());
    }

    void evaluateTellsTheRulesThatWerePassed()
    {
        const Run run = cli({QStringLiteral("evaluate"), QStringLiteral("--task"), m_task, QStringLiteral("--source"),
            m_task + QStringLiteral("/seed.cpp"), QStringLiteral("--json")});
        QCOMPARE(run.exitCode, 0);
        const QJsonObject json = object(run.out);
        QStringList passed;
        for (const auto& rule : json.value(QStringLiteral("rules_passed")).toArray())
            passed << rule.toString();
        QCOMPARE(passed.join(u' '), QStringLiteral("build verify/normwise verify/exact timed-launches roofline"));
        QVERIFY(json.value(QStringLiteral("environment")).toObject().contains(QStringLiteral("compiler")));
    }

    void evolveRefusesAnExistingSessionAndNamesResume()
    {
        const QString session = file("taken.tilewright");
        const QStringList call{QStringLiteral("evolve"), QStringLiteral("--task"), m_task, QStringLiteral("--session"),
            session, QStringLiteral("--evaluations"), QStringLiteral("2")};
        QCOMPARE(cli(call).exitCode, 0);
        const Run again = cli(call);
        QCOMPARE(again.exitCode, 2);
        QVERIFY(again.err.contains("resume"));
    }

    void aLockedSessionExitsWithSeven()
    {
        const QString session = file("held.tilewright");
        QCOMPARE(cli({QStringLiteral("evolve"), QStringLiteral("--task"), m_task, QStringLiteral("--session"), session,
                         QStringLiteral("--evaluations"), QStringLiteral("2")})
                     .exitCode,
            0);
        auto held = SessionWriter::open(session.toStdString());
        QVERIFY(held.has_value());
        const Run run = cli({QStringLiteral("resume"), session});
        QCOMPARE(run.exitCode, 7);
        QVERIFY(run.err.contains(QByteArray::number(QCoreApplication::applicationPid())));
        QCOMPARE(cli({QStringLiteral("show"), session}).exitCode, 0);
    }

    void withoutANameTheSessionIsMadeInTheDataFolderAndPrinted()
    {
        const Run run = cli({QStringLiteral("evolve"), QStringLiteral("--task"), m_task,
            QStringLiteral("--evaluations"), QStringLiteral("1"), QStringLiteral("--json")});
        QCOMPARE(run.exitCode, 0);
        const QString path = object(run.out).value(QStringLiteral("session")).toString();
        QVERIFY(path.startsWith(m_folder.path()));
        QVERIFY(QFile::exists(path));
        QVERIFY(run.err.contains(path.toUtf8()));
    }

    void whatCannotRunMakesNoSessionFile()
    {
        const QString session = file("never.tilewright");
        const QStringList call{QStringLiteral("evolve"), QStringLiteral("--task"), m_task, QStringLiteral("--session"),
            session, QStringLiteral("--evaluations"), QStringLiteral("2")};
        const Run device = cli(call + QStringList{QStringLiteral("--device"), QStringLiteral("cuda:7")});
        QCOMPARE(device.exitCode, 6);
        QVERIFY2(device.err.contains("'cuda:7'") && device.err.count('\n') == 1, device.err.constData());
        for (const char* nonsense : {"cuda:", "cuda:-1", "gpu", "cuda:0,cuda:0"}) {
            const Run named = cli(call + QStringList{QStringLiteral("--device"), QString::fromLatin1(nonsense)});
            QCOMPARE(named.exitCode, 2);
            QVERIFY2(named.err.contains(nonsense) && named.err.count('\n') == 1, named.err.constData());
            const Run evaluated
                = cli({QStringLiteral("evaluate"), QStringLiteral("--task"), m_task, QStringLiteral("--source"),
                    m_task + QStringLiteral("/seed.cpp"), QStringLiteral("--device"), QString::fromLatin1(nonsense)});
            QCOMPARE(evaluated.exitCode, 2);
        }
        const Run folder = cli(call
            + QStringList{
                QStringLiteral("--proposer"), QStringLiteral("manual:") + m_task + QStringLiteral("/seed.cpp")});
        QCOMPARE(folder.exitCode, 6);
        QVERIFY(!QFile::exists(session));
        QCOMPARE(cli(call + QStringList{QStringLiteral("--device"), QStringLiteral("cpu0")}).exitCode, 0);
    }

    void resumingNamesAModelsFileThatIsGone()
    {
        const QString session = file("moved.tilewright");
        {
            const TaskPack pack = loadTaskPack(m_task.toStdString()).value();
            RunSettings settings;
            settings.task = sha256(pack.blob());
            settings.taskName = pack.task.name;
            settings.proposer = "model:/nowhere/models.json";
            QVERIFY(SessionWriter::create(session.toStdString(), pack,
                Event{RunId{1}, 1, "2026-01-01T00:00:00.000Z", events::RunCreated{settings}}));
        }
        const QStringList call{QStringLiteral("resume"), session};
        for (const QStringList& more :
            {QStringList(), QStringList{QStringLiteral("--cost-usd"), QStringLiteral("5")}}) {
            const Run run = cli(call + more);
            QCOMPARE(run.exitCode, 6);
            QVERIFY2(run.err.contains("models file /nowhere/models.json does not exist"), run.err.constData());
            QVERIFY2(run.err.contains("--models FILE") && !run.err.contains("QProcess"), run.err.constData());
        }
        const Run other = cli(call + QStringList{QStringLiteral("--models"), file("other.json")});
        QCOMPARE(other.exitCode, 6);
        QVERIFY2(other.err.contains("other.json does not exist"), other.err.constData());
    }

    void aBrokenPackIsNotCalledGood_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* name, const char* file, const char* from, const char* to, const char* says) {
            QTest::newRow(name) << QString::fromLatin1(file) << QByteArray(from) << QByteArray(to) << QByteArray(says);
        };
        row("good", "task.json", "", "", "");
        row("another name", "task.json", "\"gemm-fp32-cpu\"", "\"gemm\"", "is not the name of the folder");
        row("no limits", "task.json", "\"limits\": {\"build_s\": 30, ", "\"limits\": {", "limits.build_s: is missing");
        row("a seed that does not compile", "seed.cpp", "tilewright_run", "tilewright_walk", "build/");
        row("a reference that does not compile", "reference.cpp", "double* C", "doubel* C", "reference.cpp: ");
    }

    void aBrokenPackIsNotCalledGood()
    {
        QFETCH(QString, file);
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QFETCH(QByteArray, says);
        const QTemporaryDir folder;
        const std::string copy = folder.filePath(QStringLiteral("gemm-fp32-cpu")).toStdString();
        std::filesystem::copy(m_task.toStdString(), copy, std::filesystem::copy_options::recursive);
        QFile text(QString::fromStdString(copy) + u'/' + file);
        QVERIFY(text.open(QIODevice::ReadWrite));
        QByteArray content = text.readAll();
        QVERIFY(content.contains(from));
        if (!from.isEmpty())
            content.replace(from, to);
        QVERIFY(text.resize(0) && text.seek(0) && text.write(content) == content.size());
        text.close();
        const Run run = cli({QStringLiteral("tasks"), QStringLiteral("--check"), QString::fromStdString(copy)});
        QVERIFY2(run.exitCode == (says.isEmpty() ? 0 : 2), run.err.constData());
        QVERIFY2(run.err.contains(says), run.err.constData());
        QCOMPARE(run.out.contains("the pack is good"), says.isEmpty());
    }

    void evolveAndEvaluateRefuseThePackThatTheCheckRefuses()
    {
        const QTemporaryDir folder;
        const QString copy = folder.filePath(QStringLiteral("gemm-fp32-cpu"));
        std::filesystem::copy(m_task.toStdString(), copy.toStdString(), std::filesystem::copy_options::recursive);
        QFile text(copy + QStringLiteral("/task.json"));
        QVERIFY(text.open(QIODevice::ReadWrite));
        QByteArray content = text.readAll();
        QVERIFY(content.contains("\"build_s\": 30, "));
        content.replace("\"build_s\": 30, ", "");
        QVERIFY(text.resize(0) && text.seek(0) && text.write(content) == content.size());
        text.close();
        const QString session = file("incomplete.tilewright");
        for (const QStringList& call : {QStringList{QStringLiteral("tasks"), QStringLiteral("--check"), copy},
                 QStringList{
                     QStringLiteral("evolve"), QStringLiteral("--task"), copy, QStringLiteral("--session"), session},
                 QStringList{QStringLiteral("evaluate"), QStringLiteral("--task"), copy, QStringLiteral("--source"),
                     copy + QStringLiteral("/seed.cpp")}}) {
            const Run run = cli(call);
            QCOMPARE(run.exitCode, 2);
            QVERIFY2(run.err.contains("task.json: limits.build_s: is missing"), run.err.constData());
        }
        QVERIFY(!QFile::exists(session));
    }

    void aPackThatIsNotThereIsMissingAndNotBroken()
    {
        const Run run = cli({QStringLiteral("tasks"), QStringLiteral("--check"), QStringLiteral("/nonexistent")});
        QCOMPARE(run.exitCode, 6);
        QCOMPARE(run.err, QByteArray("tilewright-cli: there is no folder /nonexistent\n"));
    }

    void ofTwoPacksOfOneNameTheListSaysWhichCounts()
    {
        const QTemporaryDir folder;
        const auto own = std::filesystem::path(folder.path().toStdString()) / "tilewright/kernels/gemm-fp32-cpu";
        std::filesystem::create_directories(own.parent_path());
        std::filesystem::copy(m_task.toStdString(), own, std::filesystem::copy_options::recursive);
        const auto listed = [&](const QStringList& more) {
            QProcess process;
            process.setProcessEnvironment(environmentFor(folder.path(), ""));
            process.start(QStringLiteral(TILEWRIGHT_CLI), QStringList{QStringLiteral("tasks")} + more);
            return process.waitForFinished(patience) ? process.readAllStandardOutput() : QByteArray();
        };
        const QByteArray text = listed({});
        QCOMPARE(text.count("gemm-fp32-cpu      GEMM"), 1);
        QVERIFY2(text.contains("gemm-fp32-cpu      not used: ")
                && text.contains("'--task " + QByteArray::fromStdString(own.string()) + "' to take this one"),
            text.constData());
        int shadowed = 0;
        for (const auto& entry : object(listed({QStringLiteral("--json")})).value(QStringLiteral("tasks")).toArray()) {
            const QJsonObject pack = entry.toObject();
            const bool mine = pack.value(QStringLiteral("folder")).toString().toStdString() == own;
            QCOMPARE(pack.value(QStringLiteral("shadowed_by")).isString(), mine);
            shadowed += mine;
        }
        QCOMPARE(shadowed, 1);
    }

    void aMissingNodeExitsWithSix()
    {
        QProcess process;
        QProcessEnvironment environment = environmentFor(m_folder.path(), "");
        environment.insert(QStringLiteral("TILEWRIGHT_NODE"), QStringLiteral("/nonexistent/node"));
        process.setProcessEnvironment(environment);
        process.start(QStringLiteral(TILEWRIGHT_CLI),
            {QStringLiteral("evolve"), QStringLiteral("--task"), m_task, QStringLiteral("--session"),
                file("nodeless.tilewright")});
        QVERIFY(process.waitForFinished(patience));
        QCOMPARE(process.exitCode(), 6);
    }
};

QTEST_GUILESS_MAIN(TestCommandLine)
#include "test_command_line.moc"
