// SPDX-License-Identifier: GPL-3.0-or-later
// What the command line answers to bad calls, to --help and `doctor`, and to packs that are broken or not there.
#include "tests/cli/command_folder.h"
#include "tests/test_program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTest>
#include <filesystem>

class TestCommandCalls : public QObject, CommandFolder
{
    Q_OBJECT

private Q_SLOTS:
    void aDataFolderThatCannotBeMadeIsMissing()
    {
        QProcess process;
        process.setProcessEnvironment(environmentFor(QStringLiteral("/dev/null/data"), ""));
        process.start(QStringLiteral(TILEWRIGHT_CLI), {QStringLiteral("evolve"), QStringLiteral("--task"), m_task});
        QVERIFY(process.waitForFinished(patience));
        const QByteArray says = process.readAllStandardError();
        QVERIFY2(process.exitCode() == 6 && says.contains("/dev/null/data/tilewright/sessions cannot be created"),
            says.constData());
        const Run named = cli({QStringLiteral("evolve"), QStringLiteral("--task"), m_task, QStringLiteral("--session"),
            QStringLiteral("/dev/null/data/a.tilewright")});
        QCOMPARE(named.exitCode, 6);
    }

    void whyATraceMaySinkIsToldByTheHelp()
    {
        const Run run = cli({QStringLiteral("show"), QStringLiteral("--help")});
        QVERIFY2(
            run.out.simplified().contains("the winner of a direct comparison becomes the best"), run.out.constData());
    }

    void aModelsFileIsNamedOnce()
    {
        const Run run = cli({QStringLiteral("evolve"), QStringLiteral("--task"), m_task, QStringLiteral("--proposer"),
            QStringLiteral("model:a.json"), QStringLiteral("--models"), QStringLiteral("b.json")});
        QVERIFY2(run.exitCode == 2 && run.err.contains("already names the models file"), run.err.constData());
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
            "use mutator, random, model (with --models FILE), manual:DIR or replay:SESSION|DIR with this task");
        row("negative number", "evolve --task x --evaluations -3", 2, "--evaluations takes a whole number");
        row("bad seconds", "evolve --task x --wall-time soon", 2, "--wall-time takes seconds");
        row("endless seconds", "evolve --task x --wall-time 1e300", 2, "--wall-time takes at most 600000000 seconds");
        row("too many versions", "evolve --task x --proposer manual:d --tune 10001", 2, "--tune takes 0 to 10000");
        row("too many programs for an edit", "evolve --task x --proposer manual:d --recombine 17", 2,
            "--recombine takes 0 to 16");
        row("edits reused without models", "evolve --task x --recombine 2", 2,
            "--recombine requires the proposers model or manual");
        row("no islands", "evolve --task x --islands 0", 2, "--islands takes 1 to 64");
        row("no way", "evolve --task gemm-fp32-cpu --migration A-B", 2, "'A-B' is not a route between islands");
        row("a way to nowhere", "evolve --task gemm-fp32-cpu --migration A>Q", 2, "no island Q");
        row("a way to itself", "evolve --task gemm-fp32-cpu --migration B>C,A>A", 2, "from island A to itself");
        row("migrants all the time", "evolve --task gemm-fp32-cpu --migration-interval 0", 2, "1 to 10000 new members");
        row("migrants of one island", "evolve --task gemm-fp32-cpu --proposer random --migration off", 4,
            "islands of the strategy random cannot be steered");
        row("a strategy that is not there", "evolve --task gemm-fp32-cpu --strategy annealing", 2,
            "known strategies: evolve, iterate, best-of-n, random");
        row("a strategy of no island", "evolve --task gemm-fp32-cpu --islands 2 --strategy C=random", 2,
            "the last island is B");
        row("two sizes for three", "evolve --task gemm-fp32-cpu --train 64x64", 2, "is not a shape of M×N×K");
        row("nothing to train on", "evolve --task gemm-fp32-cpu --train none", 2, "'none' is not a shape");
        row("trained on and held out", "evolve --task gemm-fp32-cpu --train 8x8x8 --held-out 8x8x8", 2, "named twice");
        row("shapes twice over", "evolve --task gemm-fp32-cpu --shapes a.csv --train 8x8x8", 2, "omit --train");
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
        const std::map<QByteArray, QByteArray> codes{{"blame", "0 1 2 6"}, {"compare", "0 1 2 4 5 6"},
            {"control", "0 1 2 3 4 6"}, {"demo", "0 1 2 6"}, {"doctor", "0 1 2 6"}, {"evaluate", "0 1 2 4 5 6 130"},
            {"evolve", "0 1 2 4 5 6 7 130"}, {"export", "0 1 2 4 5 6 7 130"}, {"lineage", "0 1 2 4 6 7"},
            {"listing", "0 1 2 4 5 6"}, {"patch", "0 1 2 3 6"}, {"resume", "0 1 2 4 5 6 7 130"}, {"save", "0 1 2 6"},
            {"show", "0 1 2 6"}, {"task-from", "0 1 2 4 5 6"}, {"tasks", "0 1 2 4 5 6"}, {"tensor", "0 1 2 4 6"},
            {"tiling", "0 1 2 4 6 130"}};
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
        for (const char* command : {"blame", "compare", "control", "demo", "doctor", "evaluate", "evolve", "export",
                 "lineage", "listing", "patch", "resume", "save", "show", "task-from", "tasks", "tensor", "tiling"})
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
        for (const auto& finding : run.json().value(QStringLiteral("findings")).toArray())
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
            QVERIFY(QByteArray(later) == "git"
                || finding.value(QStringLiteral("detail")).toString().contains(QStringLiteral("by this version: ")));
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
            for (const auto& finding : run.json().value(QStringLiteral("findings")).toArray())
                if (finding.toObject().value(QStringLiteral("what")) == QStringLiteral("CUDA toolkit"))
                    detail = finding.toObject().value(QStringLiteral("detail")).toString();
            return detail;
        };
        environment.remove(QStringLiteral("CUDA_PATH"));
        environment.insert(QStringLiteral("CUDA_HOME"), QStringLiteral("/nonexistent"));
        const QString other = toolkit();
        QVERIFY2(other.contains(QStringLiteral(
                     "CUDA_HOME is set to /nonexistent, where there is no NVRTC (lib64/libnvrtc.so): it is ignored")),
            qPrintable(other));
        environment.remove(QStringLiteral("CUDA_HOME"));
        QVERIFY2(!toolkit().contains(QStringLiteral("not used")), qPrintable(toolkit()));
    }

    void doctorTellsWhetherADeviceOrATaskHasWhatItTakes()
    {
        const QByteArray cpuOnly = "All requirements of CPU tasks are met. ";
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
        QCOMPARE(run.out.contains("the pack is valid"), says.isEmpty());
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
                && text.contains("use --task " + QByteArray::fromStdString(own.string()) + " for this one"),
            text.constData());
        int shadowed = 0;
        for (const auto& entry : QJsonDocument::fromJson(listed({QStringLiteral("--json")}))
                                     .object()
                                     .value(QStringLiteral("tasks"))
                                     .toArray()) {
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

TILEWRIGHT_TEST(TestCommandCalls)
#include "test_command_calls.moc"
