// SPDX-License-Identifier: GPL-3.0-or-later
// The command line as it is used: sessions are made, shown, resumed and refused.
#include "core/store/session_writer.h"
#include "tests/cli/command_folder.h"
#include "tests/locales.h"
#include "tests/test_program.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTest>

using namespace tilewright;

class TestCommandLine : public QObject, CommandFolder
{
    Q_OBJECT

private Q_SLOTS:
    /// Scores of different times may be higher than that of the best, which won the direct comparison.
    void showListsTheBestFirst()
    {
        QCOMPARE(
            cli({QStringLiteral("demo"), QStringLiteral("gemm-cpu"), QStringLiteral("--to"), file("best.tilewright")})
                .exitCode,
            0);
        const Run shown = cli({QStringLiteral("show"), file("best.tilewright"), QStringLiteral("--json"),
            QStringLiteral("--top"), QStringLiteral("4")});
        const QJsonObject json = shown.json();
        const QJsonArray listed = json.value(QStringLiteral("candidates")).toArray();
        QCOMPARE(listed.size(), 4);
        QCOMPARE(listed.first().toObject().value(QStringLiteral("id")),
            json.value(QStringLiteral("best")).toObject().value(QStringLiteral("id")));
        const auto score
            = [&](int place) { return listed.at(place).toObject().value(QStringLiteral("score")).toDouble(); };
        QVERIFY2(score(1) > score(0), "a recording in which the best has the highest score tells nothing here");
        QVERIFY(score(1) >= score(2) && score(2) >= score(3));
    }

    void showPrintsTheSameBytesInEveryLocale()
    {
        testing::Locales locales;
        const QString folder = locales.folder();
        QCOMPARE(q(locales.trouble()), QString());
        const QString session = file("locales.tilewright");
        QCOMPARE(
            cli({QStringLiteral("demo"), QStringLiteral("gemm-cpu"), QStringLiteral("--to"), session}).exitCode, 0);
        for (const QStringList& form : {QStringList(), {QStringLiteral("--json")}, {QStringLiteral("--trace")}}) {
            const QStringList arguments = QStringList({QStringLiteral("show"), session}) + form;
            const Run plain = cli(arguments);
            QCOMPARE(plain.exitCode, 0);
            QVERIFY(!plain.out.isEmpty());
            for (const std::string& name : testing::Locales::names) {
                QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
                environment.insert(QStringLiteral("LOCPATH"), folder);
                environment.insert(QStringLiteral("LC_ALL"), q(name + ".UTF-8"));
                environment.insert(QStringLiteral("LANGUAGE"), q(name));
                const Run run = runToItsEnd(environment, arguments);
                QCOMPARE(run.out, plain.out);
                QCOMPARE(run.err, plain.err);
            }
        }
    }

    void evolveEndsWithOneJsonObject()
    {
        const Run run = cli({QStringLiteral("evolve"), QStringLiteral("--task"), m_task, QStringLiteral("--session"),
            file("json.tilewright"), QStringLiteral("--evaluations"), QStringLiteral("30"), QStringLiteral("--json")});
        QCOMPARE(run.exitCode, 0);
        const QJsonObject json = run.json();
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
        const QJsonObject show = shown.json();
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
            QStringLiteral(TILEWRIGHT_SOURCE_DIR "/kernels/gemm-fp32"), QStringLiteral("--source"),
            QStringLiteral(TILEWRIGHT_SOURCE_DIR "/kernels/gemm-fp32/seed.cu"), QStringLiteral("--device"),
            QStringLiteral("cuda:0,cuda:1")});
        QCOMPARE(several.exitCode, 2);
        QVERIFY2(several.err.contains("names several devices, but a program is measured on one"), several.err);
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
        const Run notText = told(file.fileName());
        QCOMPARE(notText.exitCode, 2);
        QVERIFY2(notText.err.contains("junk.cpp is not UTF-8: line 1, byte offset 10: the byte 0xff"), notText.err);
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write("int x\x1b[31m;\n#error \x1b[2J\n");
        file.close();
        const Run junk = told(file.fileName());
        QCOMPARE(junk.exitCode, 5);
        QVERIFY(junk.out.startsWith("build_failed: build/error\n"));
        QVERIFY2(!junk.out.contains('\x1b'), junk.out.constData());
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

    void theFolderOfANewSessionIsMade()
    {
        const QString session = file("not/there/yet/new.tilewright");
        const Run run = cli({QStringLiteral("evolve"), QStringLiteral("--task"), m_task, QStringLiteral("--session"),
            session, QStringLiteral("--evaluations"), QStringLiteral("2")});
        QVERIFY2(run.exitCode == 0 && QFile::exists(session), run.err.constData());
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
        QVERIFY2(refused.err.contains("--evaluations 3 is less than the number done: 8 evaluations — the budget counts "
                                      "from the start of the session; for 3 more use --evaluations +3"),
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

    void theMachinesTroubleIsSaidTheSameByEvaluateAndEvolve_data()
    {
        QTest::addColumn<QByteArray>("manners");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("a wrong vendor") << QByteArray(" --wrong-vendor") << 6
                                        << QByteArray("the vendor, which candidates are compared with");
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
        QVERIFY2(
            run.err.contains("measured on Synthetic CPU (cpu, x86-64, g++ 12.2.0), and this device is Other-CPU (cpu"),
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
            QStringLiteral("evaluation budget exhausted"));
        const QJsonObject latest = shown.json()
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
        const QJsonObject json = run.json();
        QStringList passed;
        for (const auto& rule : json.value(QStringLiteral("rules_passed")).toArray())
            passed << rule.toString();
        QCOMPARE(passed.join(u' '), QStringLiteral("build verify/normwise verify/exact timed-launches roofline"));
        QCOMPARE(json.value(QStringLiteral("environment"))
                     .toObject()
                     .value(QStringLiteral("measured_checks"))
                     .toArray()
                     .size(),
            2); // of the check and of the timing
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
        const QString path = run.json().value(QStringLiteral("session")).toString();
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
};

TILEWRIGHT_TEST(TestCommandLine)
#include "test_command_line.moc"
