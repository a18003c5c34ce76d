// SPDX-License-Identifier: GPL-3.0-or-later
// Another proposer in the middle of a run, beside an untouched twin: what was proposed stays, what comes next is the
// new one's. moc 6.4 stumbles over g++ 12's <concepts>, which some of these lead to; it needs none of it.
#ifndef Q_MOC_RUN
#include "core/engine/replies/reply_folder.h"
#include "core/prompt/prompt_statistics.h"
#include "core/store/session_writer.h"
#include "tests/engine/twins.h"
#include "tests/llm/fake_server.h"
#include "tests/llm/fixtures.h"
#include "tests/llm/model_stage.h"
#endif

#include "tests/test_program.h"

#include <algorithm>

using namespace tilewright;
using namespace tilewright::testing;
using namespace Qt::StringLiterals;

namespace {

bool isBy(const std::vector<Proposal>& proposals, const std::string& proposer)
{
    return !proposals.empty()
        && std::ranges::all_of(proposals, [&](const Proposal& each) { return each.proposer == proposer; });
}

/// A model server that answers every request with an edit.
struct Answering {
    FakeServer server;
    int replies = 0;
    bool holds = false; ///< until server.release()

    bool start()
    {
        server.setHandler([this](const SeenRequest& request) {
            Said said;
            said.pieces = {scriptedReply(++replies).toStdString()};
            said.input = 100;
            said.output = 50;
            Script script = stream(eventsOf(
                request.target.ends_with("/messages") ? ModelProtocol::Anthropic : ModelProtocol::OpenAiChat, said));
            if (holds)
                script.insert(script.begin(), hold());
            return script;
        });
        return server.start();
    }
};

void breakFile(const QString& path)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{ \"format\": 1,\n  \"endpoints\": [ no");
}

} // namespace

class TestProposerChange : public QObject
{
    Q_OBJECT

    const TaskPack m_pack = gemmPack();

    /// A candidate that has tunables is there for the tuner, whose fit is judged by the seed.
    static TaskPack tunable()
    {
        TaskPack pack = gemmPack();
        std::string& seed = pack.files.at(pack.task.sources.front());
        const std::size_t at = seed.find('\n', seed.find("EVOLVE-BLOCK-START"));
        seed.insert(at + 1, "constexpr int PAD = 4; // tune: 1 2 4 8 16 32 64\n");
        return pack;
    }

private Q_SLOTS:
    void theNextProposalIsTheNewOnesAndTheTwinsIsNot()
    {
        Twins twins(tunable());
        QVERIFY(twins.ready);
        const RunState before = twins.state(twins.steered);
        twins.steered.execute(commands::SetProposer{"tuner"});
        QVERIFY2(twins.steered.failures.isEmpty(), qPrintable(twins.steered.failures.join(u' ')));
        const RunState changed = twins.state(twins.steered);
        QCOMPARE(changed.settings.proposer, std::string("tuner"));
        QCOMPARE(lineOf(changed.changes.back()), std::string("proposer: mutator → tuner"));
        QVERIFY(changed.candidates == before.candidates);
        bool differs = false;
        for (int i = 0; i < 4; ++i) {
            QVERIFY(isBy(twins.step(twins.steered), "tuner"));
            differs = differs || !isBy(twins.step(*twins.untouched), "tuner");
        }
        QVERIFY(differs); // the mutator tunes now and then as well
        QVERIFY(twins.beganAlike());
        twins.steered.execute(commands::SetProposer{"mutator"});
        bool mutates = false;
        for (int i = 0; i < 6; ++i)
            mutates = mutates || !isBy(twins.step(twins.steered), "tuner");
        QVERIFY(mutates);
    }

    void itSurvivesResumeAndTheRecordIsRebuiltAlike()
    {
        Twins twins(tunable(), 12);
        QVERIFY(twins.ready);
        twins.steered.execute(commands::SetProposer{"tuner"});
        twins.step(twins.steered);
        const RunState before = twins.state(twins.steered);
        QVERIFY(twins.steered.close());
        {
            auto writer = SessionWriter::open(twins.steered.path().toStdString());
            QVERIFY(writer);
            const auto hash = (*writer)->projectionsHash();
            QVERIFY(hash && (*writer)->rebuildProjections());
            QVERIFY((*writer)->projectionsHash().value() == *hash);
        }
        EngineDriver again({}, twins.steered.path());
        again.engine.open(again.path());
        QCOMPARE(again.run().settings.proposer, std::string("tuner"));
        QVERIFY(again.run().changes == before.changes);
        QVERIFY(isBy(twins.step(again), "tuner"));
        QVERIFY(again.close());
        // What was proposed before and after is replayed alike.
        const RunState whole = [&] {
            EngineDriver reader({}, again.path());
            reader.engine.open(reader.path());
            return RunState(reader.run());
        }();
        EngineDriver replay;
        NewSession session;
        session.path = replay.path();
        session.pack = tunable();
        session.settings.budget.evaluations = whole.evaluationsStarted;
        session.settings.proposer = "replay:" + again.path().toStdString();
        replay.engine.create(session);
        QVERIFY(replay.waitForEnd(twinPatienceMs));
        const auto programsOf = [](const RunState& run) {
            std::vector<Hash> programs;
            for (const Candidate& candidate : run.candidates)
                if (!candidate.migrated)
                    programs.push_back(candidate.program);
            std::ranges::sort(programs);
            return programs;
        };
        QCOMPARE(programsOf(replay.run()), programsOf(whole));
    }

    void aRunningRunGoesOnWithTheNewOne()
    {
        EngineDriver driver({u"--delay-ms"_s, u"2"_s});
        driver.create(tunable(), 30);
        QVERIFY(QTest::qWaitFor([&] { return driver.run().evaluationsStarted >= 8; }, twinPatienceMs));
        driver.execute(commands::SetProposer{"tuner"});
        const std::size_t known = driver.run().proposals.size();
        QVERIFY(driver.waitForEnd(twinPatienceMs));
        QCOMPARE(driver.failures, QStringList());
        const RunState& run = driver.run();
        QVERIFY(run.proposals.size() > known);
        for (std::size_t i = known; i < run.proposals.size(); ++i)
            QCOMPARE(run.proposals[i].proposer, std::string("tuner"));
        for (const Candidate& candidate : run.candidates)
            QVERIFY(candidate.isOver()); // what flew was finished
    }

    void whatWasOpenOfAPersonIsClosedAndTheirTurnComesAgain()
    {
        EngineDriver driver;
        NewSession session;
        session.path = driver.path();
        session.pack = m_pack;
        session.settings.budget.evaluations = 6;
        session.settings.proposer = "manual";
        driver.engine.create(session);
        QVERIFY(QTest::qWaitFor(
            [&] { return !driver.engine.snapshot()->status.openModelRequests.empty(); }, twinPatienceMs));
        const ModelRequestId open = driver.engine.snapshot()->status.openModelRequests.front();
        driver.execute(commands::SetProposer{"mutator"});
        QVERIFY(driver.waitForEnd(twinPatienceMs));
        const RunState run = driver.run();
        QCOMPARE(run.modelRequest(open)->state, ModelRequestState::Failed);
        QCOMPARE(run.modelRequest(open)->answer.rule, std::string("proposer/changed"));
        // Nobody failed: neither the log nor a statistic says so.
        QVERIFY(std::ranges::none_of(run.log, [](const LogLine& each) { return each.text.contains("no reply of"); }));
        const RunStatistics statistics = runStatistics(run);
        for (const PromptStatistics& each : statistics.byModel)
            QCOMPARE(each.unanswered, 0);
        QCOMPARE(run.unpriced, std::int64_t(0)); // a user who did not answer cost nothing
        QCOMPARE(run.evaluationsDone, std::int64_t(6));
        driver.execute(commands::SetProposer{"manual"});
        driver.execute(commands::SetBudget{{8, 0, 0, 0}});
        driver.execute(commands::Run{});
        QVERIFY(QTest::qWaitFor(
            [&] { return !driver.engine.snapshot()->status.openModelRequests.empty(); }, twinPatienceMs));
        QVERIFY(driver.engine.snapshot()->status.openModelRequests.front() != open);
        QCOMPARE(driver.failures, QStringList());
    }

    void anIdeaThatNobodyReadsAnyMoreIsDroppedAndSaysSo()
    {
        EngineDriver driver;
        NewSession session;
        session.path = driver.path();
        session.pack = m_pack;
        session.settings.budget.evaluations = 4;
        session.settings.proposer = "manual";
        driver.engine.create(session);
        QVERIFY(QTest::qWaitFor(
            [&] { return !driver.engine.snapshot()->status.openModelRequests.empty(); }, twinPatienceMs));
        driver.execute(commands::Pause{});
        QVERIFY(driver.waitForEnd(twinPatienceMs));
        driver.execute(commands::RequestEdits{{1}, 1, "unroll it"});
        driver.execute(commands::SetProposer{"mutator"});
        driver.execute(commands::Run{});
        QVERIFY(driver.waitForEnd(twinPatienceMs));
        const RunState run = driver.run();
        QVERIFY(std::ranges::none_of(run.steeringRequests, &SteeringRequest::isOpen));
        QVERIFY(run.steeringRequests[0].withdrawn);
        QVERIFY(std::any_of(run.log.begin(), run.log.end(),
            [](const LogLine& line) { return line.text.find("mutator uses no prompts") != std::string::npos; }));
        QCOMPARE(driver.failures, QStringList());
    }

    void theTunerMayTakeOverWhatOnlyMovesMadeTunable()
    {
        Twins early(m_pack, 1), late(m_pack, 24);
        QVERIFY(early.ready && late.ready);
        early.steered.execute(commands::SetProposer{"tuner"});
        QCOMPARE(early.steered.failures, QStringList{u"proposer/no-tunables"_s}); // the seed has none
        late.steered.execute(commands::SetProposer{"tuner"});
        QCOMPARE(late.steered.failures, QStringList());
        for (const Proposal& proposal : late.step(late.steered))
            QCOMPARE(proposal.proposer, std::string("tuner"));
    }

    void whereNothingIsBuiltInForTheTaskARunPausesAndSaysWhoCanHelp()
    {
        TaskPack bare = m_pack;
        bare.moves.clear();
        EngineDriver driver;
        driver.create(bare, 24);
        QVERIFY(driver.waitForEnd(twinPatienceMs));
        QVERIFY2(driver.run().phaseReason.contains("cannot be used"), driver.run().phaseReason.c_str());
        QCOMPARE(driver.run().phase, events::Phase::Paused); // not finished: another proposer goes on
        QVERIFY(driver.ended->status.troubleHint.contains("manual:DIR"));
        QCOMPARE(driver.run().evaluationsDone, std::int64_t(1)); // the seed
        driver.execute(commands::SetProposer{"tuner"});
        QCOMPARE(driver.failures, QStringList{u"proposer/no-tunables"_s});
    }

    void aModelsFileThatBreaksWhileTheRunGoesOnLeavesItTheModelsItHas()
    {
        qputenv(qUtf8Printable(canaryVariable), canaryKey);
        Answering models;
        QVERIFY(models.start());
        EngineDriver driver;
        const QString file = driver.path() + u".models.json"_s;
        writeModelsFile(file, models.server.serverPort());
        NewSession session;
        session.path = driver.path();
        session.pack = m_pack;
        session.settings.proposer = "model:" + file.toStdString();
        session.settings.budget.evaluations = 24;
        driver.engine.create(session);
        QVERIFY(QTest::qWaitFor([&] { return driver.run().evaluationsDone >= 3; }, twinPatienceMs));
        breakFile(file);
        QVERIFY(driver.waitForEnd(twinPatienceMs));
        QCOMPARE(driver.run().phase, events::Phase::Finished);
        driver.execute(commands::SetBudget{{30, 0, 0, 0}});
        driver.execute(commands::Run{}); // a rest reads nothing anew
        QVERIFY(driver.waitForEnd(twinPatienceMs));
        QCOMPARE(driver.run().evaluationsDone, std::int64_t(30));
        QCOMPARE(driver.failures, QStringList());
    }

    void aModelsFileIsReadWhenItIsChosenAndNotOnceMoreWhenItTakesOver()
    {
        qputenv(qUtf8Printable(canaryVariable), canaryKey);
        Answering before, after;
        QVERIFY(before.start() && after.start());
        EngineDriver driver;
        const QString first = driver.path() + u".first.json"_s, second = driver.path() + u".second.json"_s;
        writeModelsFile(first, before.server.serverPort(), "\"limits\": {\"in_flight\": 2},\n");
        writeModelsFile(second, after.server.serverPort());
        NewSession session;
        session.path = driver.path();
        session.pack = m_pack;
        session.settings.proposer = "model:" + first.toStdString();
        session.settings.budget.evaluations = 8;
        before.holds = true;
        driver.engine.create(session);
        QVERIFY(QTest::qWaitFor([&] { return before.server.holding() > 0; }, twinPatienceMs));
        driver.execute(
            commands::SetProposer{(u"model:"_s + second).toStdString()}); // what flies is paid for: it is awaited
        QCOMPARE(driver.failures, QStringList());
        breakFile(second);
        before.holds = false;
        before.server.release();
        QVERIFY(driver.waitForEnd(twinPatienceMs));
        QCOMPARE(driver.run().phase, events::Phase::Finished);
        QVERIFY(after.replies > 0);
        QCOMPARE(driver.failures, QStringList());
    }

    void whatCannotProposeIsRefusedAndTheOldOneGoesOn()
    {
        Twins twins(m_pack, 6);
        QVERIFY(twins.ready);
        for (const char* wanted :
            {"random", "replay:x.tilewright", "oracle", "model:/nowhere/models.json", "mutator:x"})
            twins.steered.execute(commands::SetProposer{(QString::fromLatin1(wanted)).toStdString()});
        QCOMPARE(twins.steered.failures,
            (QStringList{u"proposer/search"_s, u"proposer/search"_s, u"proposer/unknown"_s, u"models/missing"_s,
                u"proposer/words"_s}));
        QCOMPARE(twins.state(twins.steered).settings.proposer, std::string("mutator"));
        QVERIFY(twins.step(twins.steered) == twins.step(*twins.untouched));
        twins.steered.failures.clear();
        const std::size_t changes = twins.state(twins.steered).changes.size();
        twins.steered.execute(commands::SetProposer{"mutator"}); // it is already
        QCOMPARE(twins.state(twins.steered).changes.size(), changes);
        QVERIFY(twins.steered.failures.isEmpty());
    }
};

TILEWRIGHT_TEST(TestProposerChange)
#include "test_proposer_change.moc"
