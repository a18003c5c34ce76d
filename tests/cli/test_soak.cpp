// SPDX-License-Identifier: GPL-3.0-or-later
// A long run of models on four islands of the four strategies, that gets random commands all the time: it ends clean,
// and the memory of its process grows no more than its record does. The node is a fake one whose programs fail in every
// way, the models are a server of scripts with faults. TILEWRIGHT_SOAK_S: how long it takes, 45 minutes without it;
// TILEWRIGHT_SOAK_SEED: which commands.
#include "core/base/random.h"
#include "core/evolve/strategy.h"
#include "core/store/session_reader.h"
#include "core/store/session_writer.h"
#include "tests/cli/command_folder.h"
#include "tests/cli/random_commands.h"
#include "tests/llm/model_stage.h"
#include "tests/test_program.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QRegularExpression>
#include <map>
#include <sys/stat.h>

using namespace tilewright;
using namespace tilewright::testing;
using namespace Qt::StringLiterals;

namespace {

int setOr(const char* variable, int usual)
{
    const int set = qEnvironmentVariableIntValue(variable);
    return set > 0 ? set : usual;
}

const int soakSeconds = setOr("TILEWRIGHT_SOAK_S", 45 * 60), soakSeed = setOr("TILEWRIGHT_SOAK_SEED", 1);
constexpr const char* soakManners = " --delay-ms 40 --crash 97 --build-error 9 --refuse 11 --falls 31";
/// Memory that the second half may take: so much, and for each event of the record that came in it twice what the state
/// of the run was seen to hold of one.
constexpr std::int64_t mostGrowthKiB = 16 << 10, mostGrowthAnEventBytes = 2048;
constexpr int callsInAll = 13'500; ///< about, however long it takes
/// Exit codes of `control`: done, or refused for what it says.
const std::set<int> goodCodes{0, 2, 3, 4, 6};

std::int64_t residentKiB(qint64 pid)
{
    QFile file(u"/proc/%1/status"_s.arg(pid));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    const QRegularExpressionMatch match
        = QRegularExpression(u"VmRSS:\\s+(\\d+)"_s).match(QString::fromLatin1(file.readAll()));
    return match.captured(1).toLongLong();
}

} // namespace

class TestSoak : public QObject, CommandFolder
{
    Q_OBJECT

    QProcess m_run;
    ModelServerProcess m_server;
    RandomCommands m_commands{static_cast<std::uint64_t>(soakSeed)};
    Nameable m_nameable;
    std::map<QString, std::map<int, int>> m_codes; ///< of each command: exit codes, and how often
    QStringList m_problems;
    QByteArray m_seed; ///< program of the task

    QString session() const { return file("soak.tilewright"); }

    QProcessEnvironment environment() const
    {
        QProcessEnvironment environment = environmentFor(m_folder.path(), soakManners);
        environment.insert(u"XDG_RUNTIME_DIR"_s, file("runtime"));
        environment.insert(canaryVariable, QString::fromLatin1(canaryKey));
        return environment;
    }

    Run control(const QStringList& words) const
    {
        return runToItsEnd(environment(), QStringList{u"control"_s, session()} + words + QStringList{u"--json"_s});
    }

    void say(const QStringList& words)
    {
        const Run run = control(words);
        ++m_codes[words.front()][run.exitCode];
        if (!goodCodes.contains(run.exitCode))
            m_problems << words.join(u' ') + u": "_s + QString::number(run.exitCode) + u' '
                    + QString::fromUtf8(run.err);
    }

    void start(const QStringList& arguments)
    {
        m_run.setProcessEnvironment(environment());
        m_run.setStandardErrorFile(file("run.err"), QIODevice::Append);
        m_run.setStandardOutputFile(file("run.out"), QIODevice::Append);
        m_run.start(QStringLiteral(TILEWRIGHT_CLI), arguments);
    }

    void lookAround()
    {
        const QJsonObject status = control({u"status"_s}).json();
        m_nameable.candidates = std::max<std::int64_t>(1, status.value(u"evaluations"_s).toInteger());
        const QJsonArray islands = control({u"islands"_s}).json().value(u"islands"_s).toArray();
        m_nameable.islands = std::max<std::int64_t>(1, islands.size());
        const QJsonArray history = control({u"history"_s}).json().value(u"history"_s).toArray();
        if (!history.isEmpty())
            m_nameable.event = history.first().toObject().value(u"event"_s).toInteger();
        m_nameable.waiting.clear();
        for (const QJsonValue& review : control({u"reviews"_s}).json().value(u"reviews"_s).toArray())
            m_nameable.waiting << review.toObject().value(u"candidate"_s).toString();
        if (status.value(u"phase"_s).toString() != u"running")
            say({u"run"_s});
    }

    /// Another program than any before it.
    void writeProgram(std::int64_t number) const
    {
        const QByteArray line = "constexpr int MINE = " + QByteArray::number(static_cast<qlonglong>(number)) + ";\n";
        QByteArray program = m_seed;
        write("program.cpp", program.replace("EVOLVE-BLOCK-START\n", "EVOLVE-BLOCK-START\n" + line));
    }

    std::int64_t evaluations() const { return control({u"status"_s}).json().value(u"evaluations"_s).toInteger(); }

    std::int64_t lastEvent() const
    {
        const auto reader = SessionReader::open(session().toStdString());
        const auto state = reader ? (*reader)->load() : std::unexpected(reader.error());
        return state ? state->lastSeq : 0;
    }

    void write(const char* name, const QByteArray& text) const
    {
        QFile to(file(name));
        if (to.open(QIODevice::WriteOnly))
            to.write(text);
    }

    QByteArray read(const QString& path) const
    {
        QFile from(path);
        return from.open(QIODevice::ReadOnly) ? from.readAll() : QByteArray();
    }

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(mkdir(qPrintable(file("runtime")), 0700) == 0);
        writeScriptedReplies(file("replies"), 20'000);
        const int port = m_server.start(
            QStringLiteral(TILEWRIGHT_FAKE_MODEL_SERVER), file("replies"), file("ledger.jsonl"), 0.03, soakSeed);
        QVERIFY(port > 0);
        writeModelsFile(file("models.json"), port);
        m_seed = read(m_task + u"/seed.cpp"_s);
        write("template.md", read(QStringLiteral(TILEWRIGHT_SOURCE_DIR "/prompts/exploit.md")));
        m_nameable.templates = {u"exploit"_s, u"explore"_s, u"repair"_s};
        m_nameable.models = {u"swift"_s, u"wise"_s};
        m_nameable.proposers = {u"mutator"_s, u"model:"_s + file("models.json"), u"model:"_s + file("models.json")};
        m_nameable.program = file("program.cpp");
        m_nameable.templateText = file("template.md");
        QStringList evolve{u"evolve"_s, u"--task"_s, m_task, u"--session"_s, session(), u"--proposer"_s, u"model"_s,
            u"--models"_s, file("models.json"), u"--evaluations"_s, u"0"_s, u"--tune"_s, u"6"_s, u"--islands"_s,
            QString::number(strategyNames().size())};
        std::int64_t island = 0;
        for (const std::string& strategy : strategyNames())
            evolve << u"--strategy"_s << QString::fromStdString(islandLetter(IslandId{++island}) + "=" + strategy);
        start(evolve);
        QVERIFY(QTest::qWaitFor([this] { return evaluations() >= 3; }, patience));
    }

    void aRunUnderRandomCommandsEndsCleanAndItsMemoryGrowsNoMoreThanItsRecord()
    {
        QElapsedTimer timer;
        timer.start();
        const qint64 wholeMs = 1000LL * soakSeconds;
        // `stop` ends the process: it is among the commands in the first tenth, and then the process lives to the end.
        std::int64_t halfKiB = 0, halfEvents = 0, stops = 0, calls = 0;
        QStringList course;
        while (timer.elapsed() < wholeMs) {
            const bool mayStop = 10 * timer.elapsed() < wholeMs;
            // Not waitForFinished(0) alone: it is false of a process that has ended before.
            if (m_run.state() == QProcess::NotRunning || m_run.waitForFinished(0)) {
                ++stops;
                QVERIFY2(m_run.exitCode() == 0 && m_run.exitStatus() == QProcess::NormalExit,
                    read(file("run.err")).right(2000).constData());
                QVERIFY2(mayStop || stops < 50, read(file("run.err")).right(2000).constData());
                start({u"resume"_s, session()});
                QVERIFY(QTest::qWaitFor([this] { return control({u"status"_s}).exitCode == 0; }, patience));
            }
            if (calls++ % 20 == 0)
                lookAround();
            writeProgram(calls);
            QTest::qWait(static_cast<int>(wholeMs / callsInAll));
            say(m_commands.next(m_nameable, mayStop ? std::set<std::string>{} : std::set<std::string>{"stop"}));
            if (calls % 200 == 0)
                course << u"%1 s: %2 evaluations, %3 MiB"_s.arg(timer.elapsed() / 1000)
                              .arg(m_nameable.candidates)
                              .arg(residentKiB(m_run.processId()) >> 10);
            if (halfKiB == 0 && 2 * timer.elapsed() >= wholeMs) {
                halfKiB = residentKiB(m_run.processId());
                halfEvents = lastEvent();
            }
        }
        QVERIFY2(m_commands.missing().isEmpty(), qPrintable(m_commands.missing().join(u' ')));
        const std::int64_t endKiB = residentKiB(m_run.processId());
        qInfo("%s", qPrintable(course.join(u'\n')));

        // It still does what it is told: all islands search, nothing waits, and a further evaluation ends.
        say({u"policy"_s, u"automatic"_s});
        say({u"proposer"_s, u"mutator"_s});
        for (std::int64_t island = 1; island <= m_nameable.islands; ++island)
            say({u"island"_s, u"resume"_s, QString::fromStdString(islandLetter(IslandId{island}))});
        say({u"run"_s});
        const std::int64_t before = evaluations();
        QVERIFY(QTest::qWaitFor([&] { return evaluations() > before + 3; }, patience));
        say({u"stop"_s});
        QVERIFY(m_run.waitForFinished(patience));
        QCOMPARE(m_run.exitStatus(), QProcess::NormalExit);
        QCOMPARE(m_run.exitCode(), 0);
        QVERIFY2(m_problems.isEmpty(), qPrintable(m_problems.join(u'\n')));

        for (const auto& [command, codes] : m_codes) {
            QString line = command;
            for (const auto& [code, times] : codes)
                line += u" %1: %2×"_s.arg(code).arg(times);
            qInfo("%s", qPrintable(line));
        }
        auto writer = SessionWriter::open(session().toStdString());
        QVERIFY(writer.has_value());
        const auto hash = (*writer)->projectionsHash();
        QVERIFY((*writer)->rebuildProjections().has_value());
        QCOMPARE((*writer)->projectionsHash()->hex(), hash->hex());
        writer->reset();
        const std::int64_t events = lastEvent() - halfEvents, grown = endKiB - halfKiB;
        qInfo("seed %d: %lld calls, %lld starts, %lld events in the second half; %lld MiB then, %lld MiB at the end",
            soakSeed, static_cast<long long>(calls), static_cast<long long>(stops + 1), static_cast<long long>(events),
            static_cast<long long>(halfKiB >> 10), static_cast<long long>(endKiB >> 10));
        QVERIFY(halfKiB > 0 && events > 0);
        QVERIFY2(grown <= mostGrowthKiB + events * mostGrowthAnEventBytes / 1024,
            (std::to_string(grown) + " KiB more after " + std::to_string(events) + " events").c_str());
    }
};

TILEWRIGHT_TEST(TestSoak)
#include "test_soak.moc"
