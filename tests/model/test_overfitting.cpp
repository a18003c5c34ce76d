// SPDX-License-Identifier: GPL-3.0-or-later
// The gap between train and held-out scores: by island and proposer, with its interval, and when it is clear.
#include "core/model/measurement/overfitting.h"
#include "tests/test_program.h"

#include <QTest>
#include <cmath>

using namespace tilewright;

namespace {

class GapRun
{
public:
    GapRun() { add(1, 1, {}); }

    void add(double train, double heldout, IslandId island, const std::string& proposer = "mutator")
    {
        Proposal proposal;
        proposal.id = {static_cast<std::int64_t>(state.proposals.size()) + 1};
        proposal.proposer = proposer;
        state.proposals.push_back(proposal);
        Candidate candidate;
        candidate.id = {static_cast<std::int64_t>(state.candidates.size()) + 1};
        candidate.proposal = proposal.id;
        candidate.island = island;
        candidate.resultNumber = candidate.id.value;
        candidate.outcome = Outcome::Ranked;
        candidate.confirmed = true;
        candidate.score = Interval{train, train * 0.995, train * 1.005};
        candidate.heldoutScore = Interval{heldout, heldout * 0.995, heldout * 1.005};
        if (candidate.id != CandidateId{1})
            candidate.parents = {{1}};
        state.candidates.push_back(candidate);
    }

    RunState state;
};

} // namespace

class TestOverfitting : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void withoutConfirmedCandidatesThereIsNoGap()
    {
        const GapRun run; // the seed alone, whose scores are 1
        const OverfittingMeter meter = overfittingOf(run.state);
        QVERIFY(!meter.all.mean && meter.islands.empty() && meter.proposers.empty());
        QVERIFY(!meter.all.isClear(0.004));
        QCOMPARE(overfittingWords(meter.all), std::string());
    }

    void whatGainsLessOnHeldOutShapesIsClearByItsInterval()
    {
        GapRun run;
        for (const double gap : {0.94, 0.95, 0.96, 0.95})
            run.add(10, 10 * gap, {1});
        const OverfittingMeter meter = overfittingOf(run.state);
        QVERIFY(std::abs(meter.all.mean->value - std::pow(0.94 * 0.95 * 0.96 * 0.95, 0.25)) < 1e-12);
        QVERIFY(meter.all.mean->hi < 0.965 && meter.all.mean->lo > 0.93);
        QVERIFY(meter.all.isClear(0.004));
        QVERIFY(!meter.all.isClear(0.04)); // within what the noise allows
        QVERIFY(overfittingWords(meter.all).starts_with("held-out shapes gain 5.0 % less than train shapes ["));
        QVERIFY(overfittingWords(meter.all).ends_with("], 4 confirmed candidates"));
    }

    void candidatesThatSpreadWidelySayNothing()
    {
        GapRun run;
        for (const double gap : {0.8, 1.2, 0.85, 1.1})
            run.add(10, 10 * gap, {1});
        QVERIFY(!overfittingOf(run.state).all.isClear(0.004));
    }

    void oneCandidateHasTheIntervalOfItsMeasurement()
    {
        GapRun run;
        run.add(10, 9, {1});
        const OverfittingMeter meter = overfittingOf(run.state);
        const double half = std::sqrt(2.0) * 0.005;
        QVERIFY(std::abs(std::log(meter.all.mean->hi / meter.all.mean->lo) / 2 - half) < 1e-4);
        QVERIFY(meter.all.isClear(0.004));
    }

    void islandsAndProposersHaveTheirOwn()
    {
        GapRun run;
        run.add(10, 9, {1}, "mutator");
        run.add(10, 9.1, {1}, "manual");
        run.add(10, 10, {2}, "mutator");
        run.add(10, 10.02, {2}, "mutator");
        const OverfittingMeter meter = overfittingOf(run.state);
        QCOMPARE(meter.islands.size(), std::size_t(2));
        QCOMPARE(meter.islands[0].name, std::string("A"));
        QVERIFY(meter.islands[0].mean->value < 0.92 && meter.islands[1].mean->value > 0.99);
        QVERIFY(!meter.islands[1].isClear(0.004));
        QCOMPARE(meter.proposers.size(), std::size_t(2));
        QCOMPARE(meter.proposers[0].name, std::string("manual"));
        QCOMPARE(meter.proposers[1].candidates.size(), std::size_t(3));
        QCOMPARE(toJson(meter, 0.004)["proposers"][0]["candidates"][0]["candidate"].get<std::string>(),
            std::string("c-0003"));
    }

    void copiesAndUnconfirmedOnesAreLeftOut()
    {
        GapRun run;
        run.add(10, 9, {1});
        run.add(10, 5, {1});
        run.state.candidates.edit(2).migrated = true;
        run.add(10, 5, {1});
        run.state.candidates.edit(3).confirmed = false;
        QCOMPARE(overfittingOf(run.state).all.candidates.size(), std::size_t(1));
    }
};

TILEWRIGHT_TEST(TestOverfitting)
#include "test_overfitting.moc"
