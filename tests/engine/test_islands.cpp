// SPDX-License-Identifier: GPL-3.0-or-later
// Orders to islands of a run that goes on: what they change in it, what is refused, and that a session keeps them.
#include "core/model/islands/island_change.h"
#include "core/store/session_reader.h"
#include "core/store/session_writer.h"
#include "tests/engine/dry_run.h"
#include "tests/engine/twins.h"
#include "tests/test_program.h"

#include <algorithm>

using namespace tilewright;
using namespace tilewright::testing;

namespace {

/// Proposals of an island whose number is beyond this one.
std::vector<Proposal> proposalsAfter(const RunState& run, IslandId island, std::size_t number)
{
    std::vector<Proposal> made;
    for (const Proposal& proposal : run.proposals)
        if (proposal.island == island && static_cast<std::size_t>(proposal.id.value) > number)
            made.push_back(proposal);
    return made;
}

commands::SteerIsland tuned(std::int64_t island)
{
    commands::SteerIsland order{{island}, {}};
    order.steering.focus = Focus::Tune;
    return order;
}

} // namespace

class TestIslands : public QObject
{
    Q_OBJECT

    const TaskPack m_pack = gemmPack();

private Q_SLOTS:
    void aNewSessionBeginsAsItWasSteered()
    {
        EngineDriver run;
        NewSession session;
        session.path = run.path();
        session.pack = m_pack;
        session.settings.budget.evaluations = 24;
        session.steering[{2}].focus = Focus::Tune;
        session.steering[{3}].selection = 0.5;
        session.startNow = false;
        run.engine.create(session);
        QCOMPARE(run.run().islands.size(), std::size_t(4)); // before it runs
        QVERIFY(run.run().island({2})->steering == session.steering[{2}]);
        QVERIFY(run.run().island({1})->steering == IslandSteering{});
        run.execute(commands::Run{});
        QVERIFY(run.waitForEnd());
        const RunState state = run.run();
        QCOMPARE(state.islands.size(), std::size_t(4));
        QCOMPARE(state.island({3})->steering.selection, 0.5);
        for (const Proposal& proposal : proposalsAfter(state, {2}, 0)) // crossing and exploiting were not asked for
            QVERIFY(proposal.proposer == "seed" || proposal.focus == Focus::Tune || proposal.focus == Focus::Explore);
        QVERIFY2(run.failures.isEmpty(), qPrintable(run.failures.join(u' ')));
    }

    /// Island B always edits the seed, beside three that evolve, in one run; the file alone gives the same again.
    void eachIslandSearchesByItsOwnStrategy()
    {
        EngineDriver run;
        NewSession session;
        session.path = run.path();
        session.pack = m_pack;
        session.settings.budget.evaluations = 60;
        session.settings.strategies = {"evolve", "random"};
        run.engine.create(session);
        run.execute(commands::Run{});
        QVERIFY(run.waitForEnd());
        const RunState state = run.run();
        QCOMPARE(state.evaluationsDone, 60);
        QCOMPARE(state.island({1})->strategy, std::string("evolve"));
        QCOMPARE(state.island({2})->strategy, std::string("random"));
        QCOMPARE(state.island({2})->name, std::string("Random"));
        QCOMPARE(state.island({3})->strategy, std::string("evolve"));
        const CandidateId seed{1};
        const std::vector<Proposal> random = proposalsAfter(state, {2}, 1);
        QVERIFY(random.size() >= 10); // as many turns as the others
        for (const Proposal& proposal : random)
            QCOMPARE(proposal.parents, std::vector<CandidateId>{seed});
        for (const std::int64_t evolving : {1, 3, 4})
            QVERIFY(std::ranges::any_of(proposalsAfter(state, {evolving}, 1),
                [&](const Proposal& proposal) { return proposal.parents != std::vector<CandidateId>{seed}; }));
        for (const MigrationMark& migrant : state.migrations) // among those that evolve, past B
            QVERIFY(migrant.to != islandB && state.candidate(migrant.from)->island != islandB);
        QVERIFY(!state.migrations.empty());

        run.execute(tuned(2));
        QCOMPARE(run.failures, QStringList(QStringLiteral("island/no-levers")));
        run.execute(commands::PauseIsland{islandB}); // which every strategy bears
        QCOMPARE(run.failures.size(), 1);
        QVERIFY(run.run().island(islandB)->standing == Standing::Paused);
        const RunState before = run.run();
        QVERIFY(run.close());
        const auto reader = SessionReader::open(run.path().toStdString());
        QVERIFY(reader.has_value());
        const auto replayed = (*reader)->load();
        QVERIFY(replayed.has_value());
        QVERIFY(replayed->settings.strategies == session.settings.strategies);
        QVERIFY(replayed->islands == before.islands);
        QVERIFY(replayed->proposals == before.proposals);
    }

    void aStrategyThatIsNotThereMakesNoSession()
    {
        EngineDriver run;
        NewSession session;
        session.path = run.path();
        session.pack = m_pack;
        session.settings.strategies = {"annealing"};
        run.engine.create(session);
        session.settings.strategies = {"evolve", "evolve", "evolve", "evolve", "random"};
        run.engine.create(session);
        QCOMPARE(run.failures, QStringList({QStringLiteral("island/strategy"), QStringLiteral("island/unknown")}));
        QVERIFY(!QFile::exists(run.path()));
    }

    void steeringThatMakesNoSenseMakesNoSession()
    {
        EngineDriver run;
        NewSession session;
        session.path = run.path();
        session.pack = m_pack;
        session.steering[{9}].focus = Focus::Tune;
        run.engine.create(session);
        session.steering = {{IslandId{1}, {{}, FocusMix{}, 1, {}}}};
        run.engine.create(session);
        session.settings.proposer = "random";
        session.steering = {{IslandId{1}, {Focus::Tune, {}, 1, {}}}};
        run.engine.create(session);
        QCOMPARE(run.failures,
            QStringList({QStringLiteral("island/unknown"), QStringLiteral("island/value"),
                QStringLiteral("island/no-levers")}));
        QVERIFY(!QFile::exists(run.path()));
    }

    void aPausedIslandIsAskedForNothingMore()
    {
        EngineDriver run;
        run.create(m_pack, 16);
        QVERIFY(run.waitForEnd());
        const std::size_t until = run.run().proposals.size();
        run.execute(commands::PauseIsland{{2}});
        run.execute(commands::SetBudget{{40, 0, 0, 0}});
        run.execute(commands::Run{});
        QVERIFY(run.waitForEnd());
        const RunState state = run.run();
        QCOMPARE(state.evaluationsDone, 40);
        QCOMPARE(proposalsAfter(state, {2}, until).size(), std::size_t(0));
        for (const std::int64_t other : {1, 3, 4})
            QVERIFY(proposalsAfter(state, {other}, until).size() >= 7);
        QVERIFY2(run.failures.isEmpty(), qPrintable(run.failures.join(u' ')));
    }

    void ordersWorkWhileTheRunGoesOn()
    {
        EngineDriver run;
        run.create(m_pack, 60);
        QVERIFY(QTest::qWaitFor([&] { return run.run().evaluationsDone >= 8; }, 60'000));
        run.execute(tuned(1));
        run.execute(commands::AddIsland{"Mine", Focus::Exploit});
        const std::size_t until = run.run().proposals.size();
        QVERIFY(run.waitForEnd(120'000));
        const RunState state = run.run();
        QCOMPARE(state.evaluationsDone, 60);
        QCOMPARE(state.islands.size(), std::size_t(5));
        QVERIFY(!proposalsAfter(state, {5}, until).empty());
        // What can be tuned is; where nothing is, or nothing is left to, it explores.
        const auto made = proposalsAfter(state, {1}, until);
        QVERIFY(std::ranges::any_of(made, [](const Proposal& each) { return each.focus == Focus::Tune; }));
        for (const Proposal& each : made)
            QVERIFY(each.focus == Focus::Tune || each.focus == Focus::Explore);
    }

    void whatAMergedIslandStillBringsForthCompetesInItsHeir()
    {
        EngineDriver run;
        NewSession session;
        session.path = run.path();
        session.pack = m_pack;
        session.settings.budget.evaluations = 24;
        session.settings.review = {{IslandId{2}, ReviewPolicy::Every}};
        run.engine.create(session);
        QVERIFY(QTest::qWaitFor([&] { return run.engine.snapshot()->status.waitingCode == "reviews"; }, 60'000));
        run.execute(commands::MergeIsland{{2}, {1}});
        const RunState before = run.run();
        QVERIFY(before.waitingReviews > 0);
        run.execute(commands::SetReviewPolicies{{{{}, ReviewPolicy::Automatic}}});
        QVERIFY(run.waitForEnd());
        const RunState state = run.run();
        QCOMPARE(state.island({2})->admissions, before.island({2})->admissions);
        QVERIFY(state.island({1})->admissions > before.island({1})->admissions);
        QVERIFY(std::ranges::any_of(
            state.island({1})->members, [&](CandidateId id) { return state.candidate(id)->island == IslandId{2}; }));
    }

    void whatIsUnderWayForAnIslandGoesWithItsMaking()
    {
        EngineDriver run({QStringLiteral("--delay-ms"), QStringLiteral("30")});
        run.create(m_pack, 40);
        QVERIFY(QTest::qWaitFor([&] { return run.run().evaluationsDone >= 8; }, 60'000));
        run.execute(commands::CloneIsland{{1}});
        QVERIFY(QTest::qWaitFor([&] { return !underWayFor(run.run(), {5}).unmeasured.empty(); }, 60'000));
        const UnderWay under = underWayFor(run.run(), {5});
        run.execute(commands::UndoIslandCommand{});
        const std::size_t until = run.run().proposals.size();
        for (const CandidateId id : under.unmeasured)
            QCOMPARE(run.run().candidate(id)->rule, std::string(ruleOfUnmade));
        QVERIFY2(run.run().log.back().text.find("cancelled") != std::string::npos, run.run().log.back().text.c_str());
        QVERIFY(run.waitForEnd(120'000));
        const RunState state = run.run();
        QCOMPARE(state.evaluationsDone, 40);
        QCOMPARE(state.evaluationsStarted, 40); // whose places the others took
        QCOMPARE(proposalsAfter(state, {5}, until).size(), std::size_t(0));
        for (const CandidateId id : under.unmeasured) {
            const Candidate& gone = *state.candidate(id);
            QVERIFY(gone.takenBack && gone.outcome == Outcome::None && !gone.newest && gone.evaluationNumber == 0);
        }
        for (const CandidateId id : under.measured)
            QVERIFY(state.candidate(id)->outcome != Outcome::None);
        QVERIFY2(run.failures.isEmpty(), qPrintable(run.failures.join(u' ')));
        QVERIFY(run.close());
        QVERIFY(rebuildsAlike(run.path()));
    }

    void aPersonIsNotAskedForAnIslandThatWasTakenBack()
    {
        EngineDriver run;
        NewSession session;
        session.path = run.path();
        session.pack = m_pack;
        session.settings.proposer = "manual";
        session.settings.islands = 1;
        run.engine.create(session);
        const auto openFor = [&run](std::int64_t island) {
            std::vector<ModelRequestId> open;
            for (const ModelRequest& each : run.run().modelRequests)
                if (each.island == IslandId{island} && each.state == ModelRequestState::Open)
                    open.push_back(each.id);
            return open;
        };
        QVERIFY(QTest::qWaitFor([&] { return openFor(1).size() == 4; }, 60'000));
        run.execute(commands::AddIsland{"Mine", Focus::Exploit});
        for (int i = 0; i < 30 && openFor(2).empty(); ++i) { // those that are out, and their turns, are for the first
            run.execute(commands::AnswerRequest{openFor(1).front(), "no idea"});
            const std::size_t asked = run.run().modelRequests.size();
            QVERIFY(QTest::qWaitFor([&] { return run.run().modelRequests.size() > asked; }, 60'000));
        }
        const std::vector<ModelRequestId> open = openFor(2);
        QVERIFY(!open.empty());
        run.execute(commands::UndoIslandCommand{});
        QVERIFY(openFor(2).empty());
        QCOMPARE(run.run().modelRequest(open.front())->answer.rule, std::string(ruleOfUnmade));
        QVERIFY(QTest::qWaitFor([&] { return openFor(1).size() == 4; }, 60'000)); // somebody else is asked instead
        run.execute(commands::AnswerRequest{open.front(), "late"});
        QCOMPARE(run.failures, QStringList{QStringLiteral("inquiry/not-open")});
        run.execute(commands::Stop{});
        QVERIFY(run.waitForEnd());
    }

    void aSessionKeepsWhatWasOrdered()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("kept.tilewright"));
        RunState before;
        {
            EngineDriver run({}, path);
            run.create(m_pack, 20);
            QVERIFY(run.waitForEnd());
            run.execute(commands::PauseIsland{{2}});
            run.execute(tuned(1));
            run.execute(commands::CloneIsland{{1}});
            run.execute(commands::MergeIsland{{3}, {4}});
            run.execute(commands::ResetIsland{{4}, commands::Beginning::Best});
            run.execute(commands::PlanMigration{{MigrationPlan::Ways::Drawn, {{{1}, {4}}, {{4}, {5}}}, 3}});
            run.execute(commands::UndoIslandCommand{});
            QVERIFY2(run.failures.isEmpty(), qPrintable(run.failures.join(u' ')));
            before = run.run();
            QVERIFY(run.close());
        }
        EngineDriver again({}, path);
        again.engine.open(path);
        const RunState kept = again.run();
        QCOMPARE(kept.islands, before.islands);
        QVERIFY(kept.islandChanges == before.islandChanges);
        QVERIFY(kept.changes == before.changes);
        QCOMPARE(kept.settings.migration, MigrationPlan{});
        again.execute(commands::UndoIslandCommand{}); // the reset, though another program made it
        QCOMPARE(again.run().newestIslandChange()->kind, IslandChangeKind::Standing);
        again.execute(commands::SetBudget{{30, 0, 0, 0}});
        again.execute(commands::Run{});
        QVERIFY(again.waitForEnd());
        QCOMPARE(again.run().evaluationsDone, 30);
        QVERIFY(again.close());
        auto writer = SessionWriter::open(path.toStdString());
        QVERIFY(writer.has_value());
        const auto hash = (*writer)->projectionsHash();
        QVERIFY((*writer)->rebuildProjections().has_value());
        QCOMPARE((*writer)->projectionsHash().value().hex(), hash.value().hex());
    }

    void whatReachesNobodyIsRefused()
    {
        EngineDriver run;
        run.create(m_pack, 3);
        QVERIFY(run.waitForEnd());
        commands::SteerIsland warm{{1}, {}};
        warm.steering.sampling = 0.7;
        run.execute(warm);
        run.execute(commands::PauseIsland{{9}});
        run.execute(commands::UndoIslandCommand{});
        QCOMPARE(run.failures,
            (QStringList{
                QStringLiteral("island/no-models"), QStringLiteral("island/unknown"), QStringLiteral("island/undo")}));
        QVERIFY(run.close());
        EngineDriver replayed;
        NewSession session;
        session.path = replayed.path();
        session.pack = m_pack;
        session.settings.proposer = "replay:" + run.path().toStdString();
        replayed.engine.create(session);
        QVERIFY(replayed.waitForEnd());
        replayed.execute(commands::PauseIsland{{1}});
        QCOMPARE(replayed.failures, QStringList{QStringLiteral("island/replay")});
    }

    void anIslandThatWasNotThereAtTheStartHasHintsAndAPolicyOfItsOwn()
    {
        EngineDriver run;
        run.create(m_pack, 3);
        QVERIFY(run.waitForEnd());
        run.execute(commands::SetHints{{5}, "try larger tiles"});
        QCOMPARE(run.failures, QStringList{QStringLiteral("island/unknown")});
        run.execute(commands::AddIsland{});
        run.execute(commands::SetHints{{5}, "try larger tiles"});
        run.execute(commands::SetReviewPolicies{{{IslandId{5}, ReviewPolicy::Every}}});
        QCOMPARE(run.failures.size(), 1);
        QCOMPARE(run.run().settings.hints.at({5}), std::string("try larger tiles"));
        QCOMPARE(run.run().settings.reviewPolicyOf({5}, ProposerKind::Mutator), ReviewPolicy::Every);
    }
};

TILEWRIGHT_TEST(TestIslands)
#include "test_islands.moc"
