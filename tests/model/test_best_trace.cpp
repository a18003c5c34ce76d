// SPDX-License-Identifier: GPL-3.0-or-later
// How the best of a run came about, evaluation by evaluation.
#include "core/model/best.h"
#include "core/model/marks.h"
#include "tests/test_program.h"

#include <QTest>

using namespace tilewright;

namespace {

using Words = std::vector<std::string>;

struct Made {
    std::int64_t evaluation = 0;
    Words moves;
    Tunables tunables;
};

/// A run of so many evaluations whose bests were these, proven in their order.
RunState runOf(std::int64_t evaluations, const std::vector<Made>& bests)
{
    RunState run;
    run.evaluationsDone = evaluations;
    for (const Made& made : bests) {
        Candidate candidate;
        candidate.id = {static_cast<std::int64_t>(run.candidates.size()) + 1};
        candidate.evaluationNumber = made.evaluation;
        candidate.moves = made.moves;
        candidate.tunables = made.tunables;
        candidate.outcome = Outcome::Ranked;
        candidate.confirmed = true;
        candidate.score = Interval{1.0 + static_cast<double>(made.evaluation), 1, 2};
        run.candidates.push_back(candidate);
        run.incumbents.push_back(candidate.id);
    }
    return run;
}

std::vector<std::int64_t> evaluationsOf(const std::vector<BestStep>& steps)
{
    std::vector<std::int64_t> all;
    for (const BestStep& step : steps)
        all.push_back(step.evaluations);
    return all;
}

std::vector<std::int64_t> numbersOf(const std::vector<BestStep>& steps)
{
    std::vector<std::int64_t> all;
    for (const BestStep& step : steps)
        all.push_back(step.best->id.value);
    return all;
}

using Numbers = std::vector<std::int64_t>;

} // namespace

class TestBestTrace : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachBestTellsWhatWasNewInIt()
    {
        const RunState run = runOf(40,
            {{1, {}, {}}, {8, {"tiles", "ring"}, {{"STAGES", 4}, {"GROUP", 8}}},
                {25, {"ring", "raster"}, {{"STAGES", 5}, {"GROUP", 8}, {"WIDE", 2}}}});
        const auto steps = bestsOf(run);
        QCOMPARE(evaluationsOf(steps), (Numbers{1, 8, 25}));
        QCOMPARE(steps[1].added, (Words{"tiles", "ring"}));
        QCOMPARE(steps[1].constants, (Words{"GROUP = 8", "STAGES = 4"}));
        QCOMPARE(steps[2].added, Words{"raster"});
        QCOMPARE(steps[2].removed, Words{"tiles"});
        QCOMPARE(steps[2].constants, (Words{"STAGES 4 → 5", "WIDE = 2"}));
    }

    void milestonesStandWhereTheRunWentAndAtItsEnd()
    {
        const std::vector<Made> bests{{1, {}, {}}, {8, {"a"}, {}}, {9, {"a", "b"}, {}}, {250, {"b", "c"}, {}}};
        QCOMPARE(evaluationsOf(milestonesOf(runOf(300, bests))), (Numbers{1, 10, 30, 100, 300}));
        QCOMPARE(
            evaluationsOf(milestonesOf(runOf(12000, bests))), (Numbers{1, 10, 30, 100, 300, 900, 3000, 9000, 12000}));
        const RunState run = runOf(848, bests);
        const auto steps = milestonesOf(run);
        QCOMPARE(evaluationsOf(steps), (Numbers{1, 10, 30, 100, 300, 848}));
        QCOMPARE(numbersOf(steps), (Numbers{1, 3, 3, 3, 4, 4}));
        QCOMPARE(steps[1].added, (Words{"a", "b"})); // since the line before, whatever came in between
        QVERIFY(steps[2].added.empty() && steps[2].removed.empty());
        QCOMPARE(steps[4].removed, Words{"a"});
        QVERIFY(milestonesOf(RunState()).empty());
    }

    /// Measured late, or proven to be no faster than one whose number is higher.
    void theProofDecidesNotTheNumber()
    {
        const RunState run = runOf(30, {{1, {}, {}}, {20, {"x"}, {}}, {12, {"y"}, {}}, {22, {"z"}, {}}});
        QCOMPARE(numbersOf(bestsOf(run)), (Numbers{1, 3, 4})); // 12 was proven faster than 20
    }

    void bannedOnesWereNeverTheBest()
    {
        RunState run = runOf(30, {{1, {}, {}}, {8, {"x"}, {}}, {12, {"y"}, {}}});
        Marking ban;
        ban.marks.banned = true;
        run.marks[CandidateId{3}].push_back(ban);
        QCOMPARE(numbersOf(bestsOf(run)), (Numbers{1, 2}));
    }

    /// Confirmed late or never, it was the best known for a while all the same; the end is what was proven.
    void onTheWayWhoWasScreenedClearlyAboveCounts()
    {
        RunState run = runOf(30, {{1, {}, {}}, {20, {"x", "y"}, {}}});
        const auto screened = [&](std::int64_t evaluation, const Interval& score, const char* move) {
            Candidate candidate;
            candidate.id = {static_cast<std::int64_t>(run.candidates.size()) + 1};
            candidate.evaluationNumber = evaluation;
            candidate.outcome = Outcome::Ranked;
            candidate.score = score;
            candidate.moves = {move};
            run.candidates.push_back(candidate);
        };
        screened(5, {9, 8, 10}, "x");
        screened(6, {12, 1, 20}, "noise"); // not clearly above the first
        screened(9, {7, 6, 8}, "slower");
        screened(25, {90, 80, 100}, "never confirmed");
        const auto steps = milestonesOf(run);
        QCOMPARE(evaluationsOf(steps), (Numbers{1, 10, 30}));
        QCOMPARE(numbersOf(steps), (Numbers{1, 3, 2}));
        QVERIFY(!steps[1].best->confirmed);
        QCOMPARE(steps[2].added, Words{"y"});
        Marking ban;
        ban.marks.banned = true;
        run.marks[CandidateId{3}].push_back(ban);
        QCOMPARE(numbersOf(milestonesOf(run)), (Numbers{1, 5, 2}));
    }

    void whoIsUnderWayCounts()
    {
        const RunState run = runOf(5, {{1, {}, {}}, {7, {"x"}, {}}});
        QCOMPARE(evaluationsOf(milestonesOf(run)), (Numbers{1, 7}));
    }
};

TILEWRIGHT_TEST(TestBestTrace)
#include "test_best_trace.moc"
