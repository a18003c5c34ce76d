// SPDX-License-Identifier: GPL-3.0-or-later
// A run whose four islands search by the four strategies, killed with SIGKILL at random moments and resumed each time.
// Taken one evaluation at a time it ends in the state of the run that nobody killed: the same proposals, candidates,
// figures, members and bests; what differs is when, and what the record tells of interruptions. Going on by itself, the
// order in which results come is the machine's, and no second run is equal: there nothing recorded is lost or doubled,
// and all that a session shows follows from its events. TILEWRIGHT_KILLS: how many times, 6 without it.
#include "core/base/random.h"
#include "core/evolve/strategy.h"
#include "core/store/session_reader.h"
#include "core/store/session_writer.h"
#include "tests/cli/command_folder.h"
#include "tests/cli/session_rows.h"
#include "tests/llm/model_stage.h"
#include "tests/test_program.h"

#include <QElapsedTimer>
#include <csignal>
#include <set>

using namespace tilewright;
using namespace Qt::StringLiterals;

namespace {

const int kills = [] {
    const int set = qEnvironmentVariableIntValue("TILEWRIGHT_KILLS");
    return set > 0 ? set : 6;
}();

/// Programs that do not build, are wrong and crash the node among them.
constexpr const char* manners = " --delay-ms 8 --crash 41 --build-error 9 --refuse 11";

/// NNNN.reply.md: every ninth holds a patch that does not apply, every fifth three proposals, every seventh a program
/// with constants to tune.
void writeReplies(const QString& folder, int count)
{
    QDir().mkpath(folder);
    for (int number = 1; number <= count; ++number) {
        QFile file(QDir(folder).filePath(u"%1.reply.md"_s.arg(number, 4, 10, QLatin1Char('0'))));
        if (!file.open(QIODevice::WriteOnly))
            continue;
        QByteArray reply = number % 9 == 0 ? testing::scriptedMistake() : testing::scriptedReply(10 * number);
        if (number % 5 == 0)
            reply += testing::scriptedReply(10 * number + 1) + testing::scriptedReply(10 * number + 2);
        if (number % 7 == 0)
            reply.replace(" = " + QByteArray::number(10 * number) + ";", " = 4; // tune: 1 2 4 8");
        file.write(reply);
    }
}

std::string listed(const std::vector<CandidateId>& ids)
{
    std::string text;
    for (const CandidateId id : ids)
        text += " " + candidateName(id);
    return text;
}

std::string figure(const std::optional<Interval>& interval)
{
    return interval ? std::to_string(interval->value) + " [" + std::to_string(interval->lo) + ", "
            + std::to_string(interval->hi) + "]"
                    : "-";
}

/// What a search came to, a line each: no times, no numbers of events, nothing of interruptions.
std::vector<std::string> meaningOf(const RunState& run)
{
    std::vector<std::string> lines;
    for (const Proposal& each : run.proposals)
        lines.push_back("proposal " + std::to_string(each.id.value) + " island " + islandLetter(each.island) + " "
            + std::to_string(each.ordinal) + " " + each.proposer + " " + nameOf(each.focus) + listed(each.parents)
            + " part " + std::to_string(each.part) + " attempt " + std::to_string(each.attempt) + " " + each.reply.hex()
            + " " + nameOf(each.state) + " " + each.rule);
    for (const Candidate& each : run.candidates)
        lines.push_back(candidateName(each.id) + " island " + islandLetter(each.island) + listed(each.parents) + " "
            + each.program.hex() + " cell " + each.cell + " " + nameOf(each.stage) + " " + nameOf(each.outcome) + " "
            + each.rule + " evaluation " + std::to_string(each.evaluationNumber) + " score " + figure(each.score)
            + " vendor " + figure(each.vsVendor) + (each.confirmed ? " confirmed" : "")
            + (each.migrated ? " migrated" : ""));
    for (const Island& each : run.islands) {
        std::string line = "island " + islandLetter(each.id) + " " + each.strategy + " proposals "
            + std::to_string(each.proposals) + " admissions " + std::to_string(each.admissions) + " best "
            + candidateName(each.best) + " members" + listed(each.members);
        for (const auto& [cell, elite] : each.niches)
            line += " " + cell + "=" + candidateName(elite);
        lines.push_back(line);
    }
    lines.push_back("best of the run" + listed(run.incumbents));
    for (const auto& [name, count] : run.outcomes)
        lines.push_back(name + " " + std::to_string(count));
    return lines;
}

} // namespace

class TestKilledStrategies : public QObject, CommandFolder
{
    Q_OBJECT

    QStringList m_evolve; ///< how the run begins
    QString m_session;
    std::int64_t m_seq = 0;
    std::vector<std::string> m_before; ///< the record as it was after the latest kill
    int m_interrupted = 0; ///< kills in the midst of an evaluation

    static Result<RunState> stateOf(const QString& session)
    {
        auto reader = SessionReader::open(session.toStdString());
        return reader ? (*reader)->load() : std::unexpected(reader.error());
    }

    /// Goes on to this budget, for at most so long; then it is killed. Whether it ended by itself.
    bool goOn(int evaluations, int limitMs)
    {
        QProcess process;
        process.setProcessEnvironment(environmentFor(m_folder.path(), manners));
        const QStringList budget{u"--evaluations"_s, QString::number(evaluations)};
        process.start(QStringLiteral(TILEWRIGHT_CLI),
            (QFile::exists(m_session) ? QStringList{u"resume"_s, m_session} : m_evolve) + budget);
        if (process.waitForFinished(limitMs)) {
            if (process.exitCode() != 0)
                qWarning("%s", process.readAllStandardError().constData());
            return process.exitCode() == 0;
        }
        ::kill(static_cast<pid_t>(process.processId()), SIGKILL);
        process.waitForFinished(patience);
        return false;
    }

    /// What was recorded before is still there, in the same order, and can be read.
    void checkNothingIsLost()
    {
        if (!QFile::exists(m_session))
            return;
        const auto state = stateOf(m_session);
        QVERIFY2(state.has_value(), state ? "" : state.error().text.c_str());
        const auto now = eventsOf(m_session);
        QVERIFY(state->lastSeq >= m_seq);
        QCOMPARE(static_cast<std::int64_t>(now.size()), state->lastSeq);
        QVERIFY(now.size() >= m_before.size() && std::equal(m_before.begin(), m_before.end(), now.begin()));
        m_seq = state->lastSeq;
        m_before = now;
        m_interrupted += state->evaluationsStarted > state->evaluationsDone ? 1 : 0;
    }

    void checkIsWhole(int evaluations)
    {
        const auto state = stateOf(m_session);
        QVERIFY2(state.has_value(), state ? "" : state.error().text.c_str());
        QCOMPARE(state->evaluationsStarted, std::int64_t(evaluations));
        std::set<std::int64_t> numbers;
        std::set<Hash> measured;
        for (const Candidate& candidate : state->candidates) {
            // Of a reply with several proposals some wait for an evaluation that the budget did not have.
            QVERIFY(candidate.isOver() || (candidate.stage == Stage::Queued && candidate.evaluationNumber == 0));
            if (candidate.evaluationNumber == 0)
                continue;
            QVERIFY(numbers.insert(candidate.evaluationNumber).second);
            QVERIFY(measured.insert(candidate.program).second);
            QVERIFY(candidate.outcome != Outcome::None);
        }
        QCOMPARE(static_cast<int>(numbers.size()), evaluations);
        for (const Proposal& proposal : state->proposals)
            QVERIFY(proposal.state != ProposalState::Open);
        std::set<std::string> strategies, proposing;
        for (const Island& island : state->islands) {
            strategies.insert(island.strategy);
            if (island.proposals > 0)
                proposing.insert(island.strategy);
        }
        QCOMPARE(strategies.size(), strategyNames().size());
        QCOMPARE(proposing, strategies);
        auto writer = SessionWriter::open(m_session.toStdString());
        QVERIFY(writer.has_value());
        const auto hash = (*writer)->projectionsHash();
        QVERIFY((*writer)->rebuildProjections().has_value());
        QCOMPARE((*writer)->projectionsHash()->hex(), hash->hex());
    }

    /// A run of the four strategies by this proposer, in a session of its own.
    void begin(const char* session, const QString& proposer)
    {
        m_session = file(session);
        m_seq = 0;
        m_before.clear();
        m_interrupted = 0;
        m_evolve = QStringList{u"evolve"_s, u"--task"_s, m_task, u"--session"_s, m_session, u"--proposer"_s, proposer,
            u"--seed"_s, u"11"_s, u"--islands"_s, QString::number(strategyNames().size())};
        std::int64_t island = 0;
        for (const std::string& strategy : strategyNames())
            m_evolve << u"--strategy"_s << QString::fromStdString(islandLetter(IslandId{++island}) + "=" + strategy);
    }

private Q_SLOTS:
    void takenOneByOneAKilledRunEndsAsTheOneThatNobodyKilled_data()
    {
        QTest::addColumn<QString>("proposer");
        QTest::newRow("mutator") << u"mutator"_s;
        QTest::newRow("replies of a folder") << u"replay:"_s + file("replies");
    }

    void takenOneByOneAKilledRunEndsAsTheOneThatNobodyKilled()
    {
        QFETCH(QString, proposer);
        writeReplies(file("replies"), 200);
        const int evaluations = 20 + kills;
        begin((QString::fromLatin1(QTest::currentDataTag()) + u"-calm.tilewright"_s).toUtf8().constData(), proposer);
        QElapsedTimer timer;
        timer.start();
        for (int budget = 1; budget <= evaluations; ++budget)
            QVERIFY(goOn(budget, patience));
        const auto typicalMs = static_cast<std::uint64_t>(timer.elapsed() / evaluations);
        checkIsWhole(evaluations);
        const std::vector<std::string> calm = meaningOf(stateOf(m_session).value());

        begin((QString::fromLatin1(QTest::currentDataTag()) + u"-killed.tilewright"_s).toUtf8().constData(), proposer);
        int done = 0;
        for (int budget = 1; budget <= evaluations; ++budget) {
            // Spread over the run; what ended sooner than it was to be killed is made up for at the next one.
            for (std::uint64_t round = 0; done * evaluations < kills * budget && round < 6; ++round) {
                CounterRandom random(17, static_cast<std::uint64_t>(budget), round);
                if (goOn(budget, static_cast<int>(1 + random.below(typicalMs + typicalMs / 4))))
                    break;
                ++done;
                checkNothingIsLost();
                if (QTest::currentTestFailed())
                    return;
            }
            QVERIFY(goOn(budget, patience));
        }
        QVERIFY2(4 * done >= 3 * kills, (std::to_string(done) + " kills").c_str());
        checkIsWhole(evaluations);
        const std::vector<std::string> killed = meaningOf(stateOf(m_session).value());
        for (std::size_t i = 0; i < std::min(calm.size(), killed.size()); ++i)
            QCOMPARE(q(killed[i]), q(calm[i]));
        QCOMPARE(killed.size(), calm.size());
        qInfo("%d kills in %d evaluations, %d in the midst of one", done, evaluations, m_interrupted);
    }

    void goingOnByItselfNothingIsLostOrDoubled_data() { takenOneByOneAKilledRunEndsAsTheOneThatNobodyKilled_data(); }

    void goingOnByItselfNothingIsLostOrDoubled()
    {
        QFETCH(QString, proposer);
        writeReplies(file("replies"), 4000);
        begin((QString::fromLatin1(QTest::currentDataTag()) + u"-going.tilewright"_s).toUtf8().constData(), proposer);
        int budget = 60; // grows whenever it is used up before all kills are done
        for (int done = 0; done < kills;) {
            CounterRandom random(23, 1, static_cast<std::uint64_t>(done + 1000 * budget));
            if (goOn(budget, static_cast<int>(15 + random.below(380)))) {
                budget += 30;
                continue;
            }
            ++done;
            checkNothingIsLost();
            if (QTest::currentTestFailed())
                return;
        }
        QVERIFY(goOn(budget, patience));
        checkIsWhole(budget);
    }
};

TILEWRIGHT_TEST(TestKilledStrategies)
#include "test_killed_strategies.moc"
