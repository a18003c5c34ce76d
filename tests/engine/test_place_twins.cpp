// SPDX-License-Identifier: GPL-3.0-or-later
// Where programs live at a user's word, each steering command beside an untouched twin: who the next edit of an island
// is made from. Every island here edits its best alone, so that whoever comes to be its best is its next parent.
#include "tests/engine/marked.h"
#include "tests/engine/twins.h"
#include "tests/test_program.h"

#include <set>

using namespace tilewright;
using namespace tilewright::testing;

namespace {

TwinBeginning allEditTheirBest()
{
    TwinBeginning beginning;
    for (std::int64_t id = 1; id <= 4; ++id)
        beginning.steering[{id}] = editsItsBest();
    return beginning;
}

/// The fastest of the run that lives on the island where it was made, and an island that does worse.
struct Displacement {
    CandidateId candidate;
    IslandId from, to;
};
Displacement fromBestToWorst(const RunState& state)
{
    const auto speed = [&](const Island& island) { return state.candidate(island.best)->score->value; };
    const auto best = std::ranges::max_element(state.islands, {}, speed);
    const auto worst = std::ranges::min_element(state.islands, {}, speed);
    return {best->best, best->id, worst->id};
}

} // namespace

class TestPlaceTwins : public QObject
{
    Q_OBJECT

    std::optional<TwinRecord> m_begun;

    /// All islands but these are asked for what the twin's are.
    static void compareOthers(Twins& twins, const std::set<IslandId>& but)
    {
        const auto steered = nextOfEach(twins.state(twins.steered)), twin = nextOfEach(twins.state(*twins.untouched));
        QCOMPARE(twin.size(), std::size_t(4));
        for (const auto& [island, request] : twin)
            QVERIFY(but.contains(island) != (steered.at(island) == request));
    }

private Q_SLOTS:
    void initTestCase() { m_begun.emplace(gemmPack(), allEditTheirBest()); }

    void aCopyIsTheNextParentOnItsNewIslandAndTheOriginalAtHome()
    {
        Twins twins(*m_begun);
        QVERIFY(twins.ready);
        const Displacement move = fromBestToWorst(twins.state(twins.steered));
        QVERIFY(move.from != move.to && move.candidate != CandidateId{1});
        compareOthers(twins, {});
        twins.steered.execute(commands::Place{move.candidate, move.to, Placing::Copy});
        QVERIFY2(twins.steered.failures.isEmpty(), qPrintable(twins.steered.failures.join(u' ')));
        const CandidateId copy = twins.state(twins.steered).placements.front().copy;
        compareOthers(twins, {move.to});
        const Proposal steered = twins.stepOf(twins.steered, move.to), twin = twins.stepOf(*twins.untouched, move.to);
        QCOMPARE(steered.parents, std::vector<CandidateId>{copy});
        QVERIFY(twin.parents != steered.parents);
        QCOMPARE(std::pair(steered.ordinal, steered.focus), std::pair(twin.ordinal, twin.focus));
        QVERIFY(twins.beganAlike());
    }

    void whatIsMovedIsTheNextParentThereAndNoLongerAtHome()
    {
        Twins twins(*m_begun);
        QVERIFY(twins.ready);
        const Displacement move = fromBestToWorst(twins.state(twins.steered));
        twins.steered.execute(commands::Place{move.candidate, move.to, Placing::Move});
        QVERIFY2(twins.steered.failures.isEmpty(), qPrintable(twins.steered.failures.join(u' ')));
        const CandidateId moved = twins.state(twins.steered).placements.front().copy;
        compareOthers(twins, {move.from, move.to});
        const auto steered = nextOfEach(twins.state(twins.steered)), twin = nextOfEach(twins.state(*twins.untouched));
        QCOMPARE(twin.at(move.from).parents, std::vector<CandidateId>{move.candidate});
        QVERIFY(steered.at(move.from).parents.front() != move.candidate);
        QCOMPARE(twins.stepOf(twins.steered, move.to).parents, std::vector<CandidateId>{moved});
        QVERIFY(twins.stepOf(*twins.untouched, move.to).parents.front() != moved);
        QVERIFY(twins.beganAlike());
    }

    void aPlacementThatIsTakenBackLeavesTheTwinsParents()
    {
        for (const Placing placing : {Placing::Copy, Placing::Move}) {
            Twins twins(*m_begun);
            QVERIFY(twins.ready);
            const Displacement move = fromBestToWorst(twins.state(twins.steered));
            twins.steered.execute(commands::Place{move.candidate, move.to, placing});
            twins.steered.execute(commands::UndoPlacement{twins.state(twins.steered).placements.front().copy});
            QVERIFY(twins.steered.failures.isEmpty());
            compareOthers(twins, {});
        }
    }

    void anInjectedProgramIsMeasuredAndTheNextEditOfItsIslandIsOneOfIt()
    {
        Twins twins(*m_begun);
        QVERIFY(twins.ready);
        const RunState before = twins.state(twins.steered);
        const Displacement move = fromBestToWorst(before);
        const std::string text
            = withLine(twins.steered.text(before.candidate(move.candidate)->source), "static int from_a_person = 1;");
        twins.steered.execute(commands::Inject{{}, move.to, text, "worth a try"});
        QVERIFY2(twins.steered.failures.isEmpty(), qPrintable(twins.steered.failures.join(u' ')));
        for (EngineDriver* twin : {&twins.steered, twins.untouched.get()})
            twins.settle(*twin);
        const RunState after = twins.state(twins.steered);
        const Candidate made = after.candidates[after.candidates.size() - 1];
        QCOMPARE(after.proposal(made.proposal)->proposer, std::string("person"));
        QCOMPARE(made.outcome, Outcome::Ranked);
        compareOthers(twins, {move.to});
        const Proposal steered = twins.stepOf(twins.steered, move.to), twin = twins.stepOf(*twins.untouched, move.to);
        QCOMPARE(steered.parents, std::vector<CandidateId>{made.id});
        QVERIFY(twin.parents.front().value < made.id.value);
        QVERIFY(twins.beganAlike());
    }

    void whatWasInjectedAndTakenBackMayBeInjectedAgain()
    {
        Twins twins(*m_begun);
        QVERIFY(twins.ready);
        const RunState before = twins.state(twins.steered);
        const Displacement move = fromBestToWorst(before);
        const commands::Inject inject{{}, move.to,
            withLine(twins.steered.text(before.candidate(move.candidate)->source), "static int from_a_person = 1;"),
            {}};
        const auto newest = [&] {
            const RunState now = twins.state(twins.steered);
            return now.candidates[now.candidates.size() - 1].id;
        };
        twins.steered.execute(inject);
        twins.steered.execute(commands::Withdraw{newest()});
        twins.steered.execute(inject);
        QVERIFY2(twins.steered.failures.isEmpty(), qPrintable(twins.steered.failures.join(u' ')));
        const CandidateId made = newest();
        twins.settle(twins.steered);
        QCOMPARE(twins.stepOf(twins.steered, move.to).parents, std::vector<CandidateId>{made});
        QVERIFY(twins.steered.close());
        QVERIFY(rebuildsAlike(twins.steered.path()));
    }

    void whoIsPinnedIsTheNextParentThoughTheIslandBeganAgain()
    {
        Twins twins(*m_begun);
        QVERIFY(twins.ready);
        const Displacement move = fromBestToWorst(twins.state(twins.steered));
        const IslandId home = move.from;
        twins.steered.execute(commands::SetMarks{move.candidate, marked([](Marks& m) { m.pinned = true; })});
        compareOthers(twins, {}); // who is at home anyway stays so
        for (EngineDriver* twin : {&twins.steered, twins.untouched.get()})
            twin->engine.execute(commands::ResetIsland{home, commands::Beginning::Seed});
        compareOthers(twins, {home});
        const Proposal steered = twins.stepOf(twins.steered, home), twin = twins.stepOf(*twins.untouched, home);
        QCOMPARE(steered.parents, std::vector<CandidateId>{move.candidate});
        QCOMPARE(twin.parents, std::vector<CandidateId>{{1}});
        QVERIFY(twins.beganAlike());
        twins.steered.execute(commands::UndoMarks{move.candidate});
        QVERIFY(nextOfEach(twins.state(twins.steered)).at(home).parents.front() != move.candidate);
    }

    void moreSamplesOfAParentAreTheNextEditsOfItsIsland()
    {
        Twins twins(*m_begun);
        QVERIFY(twins.ready);
        const RunState before = twins.state(twins.steered);
        const IslandId home = fromBestToWorst(before).from;
        CandidateId parent; // anybody of that island but its best
        for (const CandidateId id : before.island(home)->members)
            if (id != before.island(home)->best && before.candidate(id)->island == home)
                parent = id;
        QVERIFY(parent);
        twins.steered.execute(commands::RequestEdits{parent, 2});
        std::vector<Proposal> made;
        while (made.size() < 2)
            for (Proposal& one : twins.step(twins.steered))
                made.push_back(std::move(one));
        const Proposal twin = twins.stepOf(*twins.untouched, home);
        QCOMPARE(made[0].parents, std::vector<CandidateId>{parent});
        QCOMPARE(made[1].parents, std::vector<CandidateId>{parent});
        QCOMPARE(std::pair(made[0].island, made[0].ordinal), std::pair(home, twin.ordinal));
        QVERIFY(twin.parents.front() != parent);
        QVERIFY(twins.beganAlike());
    }
};

TILEWRIGHT_TEST(TestPlaceTwins)
#include "test_place_twins.moc"
