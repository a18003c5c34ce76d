// SPDX-License-Identifier: GPL-3.0-or-later
// The hand on single candidates, each steering command beside an untouched twin: the same record, opened twice, one of
// them steered. The twins' records are equal up to the steering command; what follows differs in the way the steering
// command says.
#include "core/evolve/islands.h"
#include "tests/engine/dry_run.h"
#include "tests/engine/figures_of.h"
#include "tests/engine/marked.h"
#include "tests/engine/person.h"
#include "tests/engine/twins.h"
#include "tests/test_program.h"

#include <algorithm>

using namespace tilewright;
using namespace tilewright::testing;

namespace {

ProposalRequest nextOf(const RunState& state) { return nextRequest(state, {}).value(); }

/// A ranked candidate that is not the next parent and lives on its island.
CandidateId anotherThan(const RunState& state, CandidateId next)
{
    for (const Island& island : state.islands)
        for (const CandidateId id : island.members)
            if (id != next && id != CandidateId{1} && state.candidate(id)->island == island.id
                && state.candidate(id)->isRanked())
                return id;
    return {};
}

} // namespace

class TestSteeringCommands : public QObject
{
    Q_OBJECT

    const TaskPack m_pack = gemmPack();
    std::optional<TwinRecord> m_begun;

private Q_SLOTS:
    void initTestCase() { m_begun.emplace(m_pack, TwinBeginning{24, {}, {}, {}}); }

    void starsTagsAndNotesAreKeptAndChangeNothingOfTheSearch()
    {
        Twins twins(*m_begun);
        QVERIFY(twins.ready);
        const CandidateId next = nextOf(twins.state(twins.steered)).parents.front();
        twins.steered.execute(commands::SetMarks{next, marked([&](Marks& m) {
                                                     m.starred = true;
                                                     m.tags = {"odd", " fast ", "odd"};
                                                     m.note = " look here \n";
                                                 })});
        const Marks kept = twins.state(twins.steered).marksOf(next);
        QVERIFY(kept.starred);
        QCOMPARE(kept.tags, (std::vector<std::string>{"fast", "odd"}));
        QCOMPARE(kept.note, std::string("look here"));
        for (int i = 0; i < 3; ++i)
            QVERIFY(twins.step(twins.steered) == twins.step(*twins.untouched));
        QVERIFY(twins.steered.failures.isEmpty());
    }

    void anIslandWhoseMixIsTheTunerTunesNextAndTheTwinStillMutates()
    {
        for (const bool takenBack : {false, true}) {
            Twins twins(*m_begun);
            QVERIFY(twins.ready);
            const IslandId next = nextOf(twins.state(twins.steered)).island;
            commands::SteerIsland mixed{next, {}};
            mixed.steering.proposers = {{"tuner", 1}, {"mutator", 0}};
            twins.steered.execute(mixed);
            if (takenBack)
                twins.steered.execute(commands::UndoIslandCommand{});
            const auto steered = twins.step(twins.steered), twin = twins.step(*twins.untouched);
            QCOMPARE(twin.front().proposer, std::string("mutator"));
            QCOMPARE(std::pair(steered.front().island, steered.front().ordinal), std::pair(next, twin.front().ordinal));
            QVERIFY(takenBack ? steered == twin : steered.front().proposer == "tuner");
            QVERIFY(twins.beganAlike());
            QVERIFY2(twins.steered.failures.isEmpty(), qPrintable(twins.steered.failures.join(u' ')));
        }
    }

    void whatIsBannedIsNotTheNextParentAndTheTwinsStillIs()
    {
        Twins twins(*m_begun);
        QVERIFY(twins.ready);
        const RunState before = twins.state(twins.steered);
        const CandidateId banned = nextOf(before).parents.front();
        twins.steered.execute(commands::SetMarks{banned, marked([&](Marks& m) { m.banned = true; })});
        const RunState after = twins.state(twins.steered);
        for (const Island& island : after.islands)
            for (const auto& [cell, holder] : island.niches)
                QVERIFY(holder != banned);
        const Proposal steered = twins.step(twins.steered).front(), twin = twins.step(*twins.untouched).front();
        QCOMPARE(twin.parents.front(), banned);
        QCOMPARE(std::pair(steered.island, steered.ordinal), std::pair(twin.island, twin.ordinal));
        QVERIFY(std::ranges::find(steered.parents, banned) == steered.parents.end());
        QVERIFY(twins.beganAlike());
    }

    void aMarkThatIsTakenBackLeavesNoTrace()
    {
        Twins twins(*m_begun);
        QVERIFY(twins.ready);
        const RunState before = twins.state(twins.steered);
        const CandidateId next = nextOf(before).parents.front();
        twins.steered.execute(commands::SetMarks{next, marked([&](Marks& m) { m.starred = true; })});
        twins.steered.execute(commands::SetMarks{next, marked([&](Marks& m) { m.banned = true; })});
        twins.steered.execute(commands::UndoMarks{next});
        QVERIFY((twins.state(twins.steered).marksOf(next) == marked([&](Marks& m) { m.starred = true; })));
        twins.steered.execute(commands::UndoMarks{next});
        QVERIFY(twins.state(twins.steered).marks.empty());
        QVERIFY(twins.state(twins.steered).islands == before.islands);
        QVERIFY(twins.step(twins.steered) == twins.step(*twins.untouched));
        twins.steered.execute(commands::UndoMarks{next});
        QCOMPARE(twins.steered.failures, QStringList{QStringLiteral("mark/none")});
    }

    void aBoostedLineageIsDrawnAsTheBoostSays()
    {
        Twins twins(m_pack, 40);
        QVERIFY(twins.ready);
        const RunState state = twins.state(twins.steered);
        const CandidateId next = nextOf(state).parents.front();
        // One whose boost takes the next turn from whoever has it now.
        CandidateId boosted;
        for (const Candidate& candidate : state.candidates) {
            RunState tried = state;
            const events::Marked mark{candidate.id, marked([](Marks& m) { m.boost = 1000; })};
            QVERIFY(apply(tried, {tried.run, tried.lastSeq + 1, "", mark}).has_value());
            if (!boosted && candidate.id != next && nextOf(tried).parents.front() != next)
                boosted = candidate.id;
        }
        QVERIFY(boosted);
        twins.steered.execute(commands::SetMarks{boosted, marked([&](Marks& m) { m.boost = 1000; })});
        const ProposalRequest expected = nextOf(twins.state(twins.steered));
        const Proposal steered = twins.step(twins.steered).front(), twin = twins.step(*twins.untouched).front();
        QCOMPARE(twin.parents.front(), next);
        QCOMPARE(steered.parents.front(), expected.parents.front());
        QVERIFY(steered.parents.front() != next);
        QCOMPARE(std::pair(steered.island, steered.ordinal), std::pair(twin.island, twin.ordinal));
    }

    void marksSurviveClosingAndRebuilding()
    {
        Twins twins(m_pack, 8);
        QVERIFY(twins.ready);
        EngineDriver& kept = *twins.untouched;
        const Marks marks{true, true, false, 2, {"a"}, "n"};
        kept.execute(commands::SetMarks{{2}, marks});
        kept.execute(commands::RequestEdits{{2}, 5});
        kept.execute(commands::Rerun{{2}, 2});
        QVERIFY2(kept.failures.isEmpty(), qPrintable(kept.failures.join(u' ')));
        QVERIFY(kept.close());
        QVERIFY(rebuildsAlike(kept.path()));
        EngineDriver again({}, kept.path());
        again.engine.open(kept.path());
        QVERIFY(again.run().marksOf({2}) == marks);
        QCOMPARE(again.run().steeringRequests.size(), std::size_t(1));
        QVERIFY(openRerunOf(again.run(), {2}) != nullptr);
    }

    void whatCannotBeMarkedIsRefusedWithItsReason()
    {
        Twins twins(m_pack, 4);
        QVERIFY(twins.ready);
        EngineDriver& engine = twins.steered;
        engine.execute(commands::SetMarks{{99}, marked([&](Marks& m) { m.starred = true; })});
        engine.execute(commands::SetMarks{{2}, marked([&](Marks& m) { m.boost = 0; })});
        engine.execute(commands::SetMarks{{2}, marked([&](Marks& m) { m.boost = -1; })});
        engine.execute(commands::SetMarks{{2}, marked([&](Marks& m) {
                                              m.pinned = true;
                                              m.banned = true;
                                          })});
        engine.execute(commands::SetMarks{{2}, marked([&](Marks& m) { m.tags = {"two words"}; })});
        QCOMPARE(twins.steered.failures,
            (QStringList{QStringLiteral("candidate/unknown"), QStringLiteral("mark/boost"),
                QStringLiteral("mark/boost"), QStringLiteral("mark/contradiction"), QStringLiteral("mark/tag")}));
        QVERIFY(twins.state(twins.steered).marks.empty());
    }

    void moreOfAParentMakesTheNextProposalsItsEditsAndNoFurtherOnes()
    {
        Twins twins(*m_begun);
        QVERIFY(twins.ready);
        const RunState before = twins.state(twins.steered);
        const CandidateId parent = anotherThan(before, nextOf(before).parents.front());
        QVERIFY(parent);
        twins.steered.execute(commands::RequestEdits{parent, 2});
        std::vector<Proposal> made;
        while (made.size() < 3)
            for (Proposal& one : twins.step(twins.steered))
                made.push_back(std::move(one));
        for (std::size_t i = 0; i < 2; ++i) {
            QCOMPARE(made[i].parents.front(), parent);
            QCOMPARE(made[i].steering, SteeringRequestId{1});
            QCOMPARE(made[i].island, before.candidate(parent)->island);
            QCOMPARE(made[i].ordinal, before.island(made[i].island)->proposals + 1 + static_cast<std::int64_t>(i));
        }
        QVERIFY(!made[2].steering);
        QVERIFY(!twins.state(twins.steered).steeringRequests[0].isOpen());
        const Proposal twin = twins.step(*twins.untouched).front();
        QVERIFY(twin.parents.front() != parent);
        QVERIFY(twins.beganAlike());
    }

    void aWishThatIsDroppedChangesNothing()
    {
        Twins twins(*m_begun);
        QVERIFY(twins.ready);
        twins.steered.execute(commands::RequestEdits{{1}, 7});
        twins.steered.execute(commands::CancelRequests{{1}});
        QVERIFY(twins.step(twins.steered) == twins.step(*twins.untouched));
        twins.steered.execute(commands::CancelRequests{{1}});
        QCOMPARE(twins.steered.failures, QStringList{QStringLiteral("wish/none")});
    }

    void whatCannotBeWishedIsRefusedWithItsReason()
    {
        Twins twins(m_pack, 4);
        QVERIFY(twins.ready);
        EngineDriver& engine = twins.steered;
        engine.execute(commands::RequestEdits{{99}, 1});
        engine.execute(commands::RequestEdits{{1}, 0});
        engine.execute(commands::RequestEdits{{1}, 1, "the mutator cannot read"});
        engine.execute(commands::SetMarks{{1}, marked([&](Marks& m) { m.banned = true; })});
        engine.execute(commands::RequestEdits{{1}, 1});
        QCOMPARE(twins.steered.failures,
            (QStringList{QStringLiteral("candidate/unknown"), QStringLiteral("wish/count"),
                QStringLiteral("wish/unread"), QStringLiteral("wish/banned")}));
    }

    void anIdeaDoesNotWaitBehindWhatIsToBeMeasured()
    {
        EngineDriver driver({QStringLiteral("--delay-ms"), QStringLiteral("2000")});
        NewSession session;
        session.path = driver.path();
        session.pack = m_pack;
        session.settings.budget.evaluations = 40;
        session.settings.proposer = "manual";
        driver.engine.create(session);
        QVERIFY(QTest::qWaitFor([&] { return driver.run().modelRequests.size() >= 4; }, 60'000));
        const auto isFull = [&] { // as many are under way as are built and measured at a time: nobody is asked any more
            const std::vector<ModelRequestId> open = driver.engine.snapshot()->status.openModelRequests;
            for (const ModelRequestId id : open)
                driver.execute(commands::AnswerRequest{id, goodReply(m_pack.seed(), static_cast<int>(id.value))});
            return driver.run().candidates.size() > 3 && driver.engine.snapshot()->status.openModelRequests.empty();
        };
        QVERIFY(QTest::qWaitFor(isFull, 60'000));
        const RunState full = driver.run();
        driver.execute(commands::RequestEdits{{1}, 1, "keep two rows of C in registers at once"});
        QVERIFY(QTest::qWaitFor([&] { return driver.run().modelRequests.size() > full.modelRequests.size(); }, 60'000));
        const RunState requested = driver.run();
        QCOMPARE(requested.modelRequests[full.modelRequests.size()].steering, SteeringRequestId{1});
        QCOMPARE(requested.evaluationsDone, full.evaluationsDone);
        QCOMPARE(driver.failures, QStringList());
    }

    void anIdeaStandsInTheNextPromptOfItsParentAndInNoOther()
    {
        const std::string idea = "keep two rows of C in registers at once";
        std::vector<RunState> runs;
        std::vector<std::string> prompts;
        for (const bool steered : {true, false}) {
            EngineDriver driver;
            NewSession session;
            session.path = driver.path();
            session.pack = m_pack;
            session.settings.budget.evaluations = 20;
            session.settings.proposer = "manual";
            driver.engine.create(session);
            const auto asked = [&](std::size_t count) {
                return QTest::qWaitFor([&] { return driver.run().modelRequests.size() >= count; }, 60'000);
            };
            QVERIFY(asked(4)); // as many as a user has open at a time
            if (steered)
                driver.execute(commands::RequestEdits{{1}, 1, idea});
            for (std::int64_t id = 1; id <= 2; ++id) {
                driver.execute(commands::AnswerRequest{{id}, goodReply(m_pack.seed(), static_cast<int>(id))});
                QVERIFY(asked(4 + static_cast<std::size_t>(id)));
            }
            runs.push_back(driver.run());
            if (steered)
                for (const ModelRequest& modelRequest : runs.back().modelRequests)
                    prompts.push_back(driver.text(modelRequest.prompt));
            QVERIFY2(driver.failures.isEmpty(), qPrintable(driver.failures.join(u' ')));
        }
        const RunState &steered = runs[0], &twin = runs[1];
        for (std::size_t i = 0; i < 4; ++i) {
            QCOMPARE(steered.modelRequests[i].prompt, twin.modelRequests[i].prompt);
            QVERIFY(prompts[i].find(idea) == std::string::npos);
        }
        QVERIFY(prompts[4].find(idea) != std::string::npos);
        QVERIFY(prompts[5].find(idea) == std::string::npos);
        QCOMPARE(steered.modelRequests[4].parents, std::vector<CandidateId>{{1}});
        QCOMPARE(steered.modelRequests[4].steering, SteeringRequestId{1});
        QVERIFY(steered.modelRequests[4].prompt != twin.modelRequests[4].prompt);
        QVERIFY(!steered.steeringRequests[0].isOpen());
    }

    void aCopyLivesOnTheOtherIslandAndLeavesItWhenTakenBack()
    {
        Twins twins(*m_begun);
        QVERIFY(twins.ready);
        const RunState before = twins.state(twins.steered);
        const CandidateId original = before.best() ? before.best()->id : anotherThan(before, {});
        const IslandId home = before.candidate(original)->island;
        IslandId target;
        for (const Island& island : before.islands)
            if (std::ranges::none_of(island.members, [&](CandidateId id) {
                    return before.candidate(id)->program == before.candidate(original)->program;
                }))
                target = island.id;
        QVERIFY(target && target != home);
        twins.steered.execute(commands::Place{original, target, Placing::Copy});
        QVERIFY2(twins.steered.failures.isEmpty(), qPrintable(twins.steered.failures.join(u' ')));
        const RunState after = twins.state(twins.steered);
        const Candidate copy = after.candidates[after.candidates.size() - 1];
        QCOMPARE(copy.parents, std::vector<CandidateId>{original});
        QCOMPARE(copy.program, before.candidate(original)->program);
        QCOMPARE(after.island(target)->members.back(), copy.id);
        QCOMPARE(after.island(target)->best, copy.id);
        QVERIFY(*after.island(home) == *before.island(home));
        QCOMPARE(after.island(target)->admissions, before.island(target)->admissions);
        twins.steered.execute(commands::Place{original, target, Placing::Copy});
        QCOMPARE(twins.steered.failures, QStringList{QStringLiteral("place/there")});
        twins.steered.execute(commands::UndoPlacement{copy.id});
        const RunState undone = twins.state(twins.steered);
        QCOMPARE(undone.island(target)->members, before.island(target)->members);
        QCOMPARE(undone.island(target)->niches, before.island(target)->niches);
        QCOMPARE(twins.step(twins.steered).front().parents, twins.step(*twins.untouched).front().parents);
        twins.steered.execute(commands::UndoPlacement{copy.id});
        QCOMPARE(twins.steered.failures.last(), QStringLiteral("place/none"));
    }

    void whatIsMovedIsTheNextParentOfItsIslandNoMore()
    {
        Twins twins(*m_begun);
        QVERIFY(twins.ready);
        RunState state = twins.state(twins.steered);
        const auto hasMovableParent = [&] {
            const Candidate* parent = state.candidate(nextOf(state).parents.front());
            return parent->island == nextOf(state).island && parent->id != CandidateId{1};
        };
        for (int i = 0; i < 12 && !hasMovableParent(); ++i) {
            QVERIFY(twins.step(twins.steered) == twins.step(*twins.untouched));
            state = twins.state(twins.steered);
        }
        QVERIFY(hasMovableParent());
        twins.known = state.proposals.size();
        const ProposalRequest next = nextOf(state);
        const CandidateId moved = next.parents.front();
        IslandId target;
        for (const Island& island : state.islands)
            if (std::ranges::none_of(island.members,
                    [&](CandidateId id) { return state.candidate(id)->program == state.candidate(moved)->program; }))
                target = island.id;
        QVERIFY(target);
        twins.steered.execute(commands::Place{moved, target, Placing::Move});
        QVERIFY2(twins.steered.failures.isEmpty(), qPrintable(twins.steered.failures.join(u' ')));
        const RunState after = twins.state(twins.steered);
        QVERIFY(
            std::ranges::find(after.island(next.island)->members, moved) == after.island(next.island)->members.end());
        const Proposal steered = twins.step(twins.steered).front(), twin = twins.step(*twins.untouched).front();
        QCOMPARE(twin.parents.front(), moved);
        QCOMPARE(std::pair(steered.island, steered.ordinal), std::pair(twin.island, twin.ordinal));
        QVERIFY(std::ranges::find(steered.parents, moved) == steered.parents.end());
        QVERIFY(twins.beganAlike());
    }

    void whatCannotBePlacedIsRefusedWithItsReason()
    {
        Twins twins(m_pack, 6);
        QVERIFY(twins.ready);
        EngineDriver& engine = twins.steered;
        engine.execute(commands::Place{{99}, {2}, Placing::Copy});
        engine.execute(commands::Place{{2}, {77}, Placing::Copy});
        engine.execute(commands::Place{{1}, {2}, Placing::Copy}); // the seed lives everywhere
        engine.execute(commands::UndoPlacement{{2}});
        engine.execute(commands::MergeIsland{{2}, {1}});
        engine.execute(commands::Place{{1}, {2}, Placing::Copy}); // nothing lives there any more
        engine.execute(commands::Inject{{1}, {2}, "a text", {}});
        QCOMPARE(twins.steered.failures,
            (QStringList{QStringLiteral("candidate/unknown"), QStringLiteral("island/unknown"),
                QStringLiteral("place/there"), QStringLiteral("place/none"), QStringLiteral("island/ended"),
                QStringLiteral("island/ended")}));
    }

    void anInjectedProgramIsACandidateOfThePersonsAndNothingElseChanges()
    {
        Twins twins(*m_begun);
        QVERIFY(twins.ready);
        const RunState before = twins.state(twins.steered);
        const Candidate parent = *before.candidate(anotherThan(before, {}));
        const std::string text
            = withLine(twins.steered.text(parent.source), "static int from_a_person_of_their_own = 1;");
        twins.steered.execute(commands::SetReviewPolicies{{{{}, ReviewPolicy::Every}}});
        twins.steered.execute(commands::Inject{parent.id, {}, text, "worth a try"});
        QVERIFY2(twins.steered.failures.isEmpty(), qPrintable(twins.steered.failures.join(u' ')));
        const RunState queued = twins.state(twins.steered);
        const Candidate made = queued.candidates[queued.candidates.size() - 1];
        QCOMPARE(queued.proposal(made.proposal)->proposer, std::string("person"));
        QCOMPARE(made.parents, std::vector<CandidateId>{parent.id});
        QCOMPARE(made.island, parent.island);
        QCOMPARE(twins.steered.text(made.source), text);
        QVERIFY(nextOf(queued) == nextOf(before));
        QVERIFY(twins.step(twins.steered).empty()); // the place of the budget is the user's
        const RunState after = twins.state(twins.steered);
        QCOMPARE(after.candidate(made.id)->stage, Stage::Done);
        QCOMPARE(after.candidate(made.id)->outcome, Outcome::Ranked);
        QCOMPARE(after.reviews.size(), std::size_t(0)); // nobody asks a user about their own program
        QVERIFY(twins.beganAlike());
        QVERIFY(twins.step(*twins.untouched).front().proposer != "person");
    }

    void anInjectionIsTakenBackUntilItIsMeasured()
    {
        Twins twins(*m_begun);
        QVERIFY(twins.ready);
        const std::string text = withLine(m_pack.seed(), "static int taken_back = 1;");
        twins.steered.execute(commands::Inject{{}, {2}, text, {}});
        RunState state = twins.state(twins.steered);
        const CandidateId made = state.candidates[state.candidates.size() - 1].id;
        QCOMPARE(state.candidate(made)->island, IslandId{2});
        QCOMPARE(state.candidate(made)->parents, std::vector<CandidateId>{{1}});
        twins.steered.execute(commands::Withdraw{made});
        state = twins.state(twins.steered);
        QCOMPARE(state.candidate(made)->stage, Stage::Rejected);
        QCOMPARE(state.candidate(made)->rule, std::string("person/withdrawn"));
        const Proposal steered = twins.step(twins.steered).front(), twin = twins.step(*twins.untouched).front();
        QCOMPARE(std::pair(steered.island, steered.ordinal), std::pair(twin.island, twin.ordinal));
        QCOMPARE(steered.parents, twin.parents);
        QCOMPARE(steered.reply, twin.reply);
        twins.steered.execute(commands::Withdraw{made});
        twins.steered.execute(commands::Withdraw{{1}});
        QCOMPARE(twins.steered.failures,
            (QStringList{QStringLiteral("inject/too-late"), QStringLiteral("inject/not-yours")}));
    }

    void whatCannotBeInjectedIsRefusedWithItsReason()
    {
        Twins twins(m_pack, 4);
        QVERIFY(twins.ready);
        EngineDriver& engine = twins.steered;
        const std::size_t candidates = twins.state(twins.steered).candidates.size(),
                          proposals = twins.state(twins.steered).proposals.size();
        engine.execute(commands::Inject{{}, {}, " \n", {}});
        engine.execute(commands::Inject{{}, {}, m_pack.seed(), {}});
        engine.execute(commands::Inject{{}, {}, "int outside;\n" + m_pack.seed(), {}});
        engine.execute(commands::Inject{{}, {9}, withLine(m_pack.seed(), "static int a = 1;"), {}});
        engine.execute(commands::Inject{{88}, {}, withLine(m_pack.seed(), "static int a = 1;"), {}});
        const Candidate second = *twins.state(twins.steered).candidate({2});
        engine.execute(commands::Inject{{}, {}, twins.steered.text(second.source), {}});
        QCOMPARE(twins.steered.failures.size(), 6);
        QVERIFY2(twins.steered.failures[2].startsWith(QStringLiteral("patch/")), qPrintable(twins.steered.failures[2]));
        twins.steered.failures.removeAt(2);
        QCOMPARE(twins.steered.failures,
            (QStringList{QStringLiteral("inject/empty"), QStringLiteral("inject/no-change"),
                QStringLiteral("island/unknown"), QStringLiteral("candidate/unknown"), QStringLiteral("duplicate")}));
        QCOMPARE(twins.state(twins.steered).candidates.size(), candidates);
        QCOMPARE(twins.state(twins.steered).proposals.size(), proposals); // they were told, and leave no trace
    }

    void aRerunIsAFurtherEvaluationAndChangesNoFigureAndNoProposal()
    {
        Twins twins(*m_begun);
        QVERIFY(twins.ready);
        const RunState before = twins.state(twins.steered);
        QVERIFY(before.best());
        const CandidateId best = before.best()->id;
        twins.steered.execute(commands::Rerun{best, 3});
        twins.steered.execute(commands::Run{});
        QVERIFY(twins.steered.waitForEnd(twinPatienceMs));
        const RunState after = twins.state(twins.steered);
        QCOMPARE(after.evaluations.size(), before.evaluations.size() + 1);
        QCOMPARE(after.evaluationsStarted, before.evaluationsStarted); // no place of the budget
        const Evaluation added = after.evaluations[after.evaluations.size() - 1];
        QCOMPARE(added.candidate, best);
        QCOMPARE(added.result.purpose, Purpose::Rerun);
        QCOMPARE(added.result.shapes[0].samples, 60);
        QCOMPARE(added.against, CandidateId{1}); // the incumbent itself is held to the seed
        QVERIFY(added.result.score && added.result.vsVendor);
        QVERIFY(figuresOf(after, best) == figuresOf(before, best));
        QCOMPARE(after.reruns[0].evaluation, added.id);
        QVERIFY(after.islands == before.islands);
        QVERIFY(twins.step(twins.steered) == twins.step(*twins.untouched));
        QVERIFY(twins.steered.failures.isEmpty());
    }

    void aRerunMayBePairedWithAnotherCandidate()
    {
        Twins twins(*m_begun);
        QVERIFY(twins.ready);
        const RunState before = twins.state(twins.steered);
        const CandidateId against = anotherThan(before, before.incumbent);
        twins.steered.execute(commands::Rerun{before.incumbent, 1, against});
        QVERIFY(twins.steered.waitForEnd(twinPatienceMs)); // measured at once, and nothing else with it
        const RunState after = twins.state(twins.steered);
        QCOMPARE(after.phase, before.phase);
        QCOMPARE(after.phaseReason, before.phaseReason);
        QCOMPARE(after.proposals.size(), before.proposals.size());
        QCOMPARE(after.evaluations[after.evaluations.size() - 1].against, against);
    }

    void aRerunThatContradictsTheFirstVerdictIsFlagged()
    {
        Twins twins(m_pack, 24, {QStringLiteral("--rerun-slower"), QStringLiteral("20")});
        QVERIFY(twins.ready);
        const RunState before = twins.state(twins.steered);
        const CandidateId best = before.best()->id;
        twins.steered.execute(commands::Rerun{best, 1});
        twins.steered.execute(commands::Run{});
        QVERIFY(twins.steered.waitForEnd(twinPatienceMs));
        const RunState after = twins.state(twins.steered);
        QVERIFY(after.candidate(best)->disputed);
        QVERIFY(!before.candidate(best)->disputed);
        Candidate unflagged = figuresOf(after, best);
        unflagged.disputed = false;
        QVERIFY(unflagged == figuresOf(before, best)); // the first verdict stands beside it
        const bool told = std::any_of(after.log.begin(), after.log.end(), [&](const LogLine& line) {
            return line.severity == "warning" && line.candidate == best
                && line.text.find("contradicts the first verdict") != std::string::npos;
        });
        QVERIFY(told);
    }

    void aRerunThatIsDroppedIsNotMeasured()
    {
        Twins twins(m_pack, 6);
        QVERIFY(twins.ready);
        const std::size_t evaluations = twins.state(twins.steered).evaluations.size();
        twins.steered.execute(commands::Rerun{{1}, 1});
        twins.steered.execute(commands::Rerun{{1}, 2});
        twins.steered.execute(commands::CancelReruns{{1}});
        twins.steered.execute(commands::Run{});
        QVERIFY(twins.steered.waitForEnd(twinPatienceMs));
        QCOMPARE(twins.state(twins.steered).evaluations.size(), evaluations);
        twins.steered.execute(commands::CancelReruns{{1}});
        twins.steered.execute(commands::Rerun{{1}, 0});
        twins.steered.execute(commands::Rerun{{1}, 1, {1}});
        twins.steered.execute(commands::Rerun{{77}, 1});
        QCOMPARE(twins.steered.failures,
            (QStringList{QStringLiteral("rerun/none"), QStringLiteral("rerun/repeats"), QStringLiteral("rerun/against"),
                QStringLiteral("candidate/unknown")}));
    }
};

TILEWRIGHT_TEST(TestSteeringCommands)
#include "test_steering_commands.moc"
