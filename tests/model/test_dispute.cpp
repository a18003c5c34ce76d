// SPDX-License-Identifier: GPL-3.0-or-later
// What a re-run says of the verdict before it: contradicted, the machine changed, faster, or the same; and what ends a
// dispute.
#include "core/model/measurement/dispute.h"
#include "tests/test_program.h"

#include <QTest>

using namespace tilewright;

namespace {

Interval spanning(double value, double half) { return {value, value - half, value + half}; }

/// A seed, a best that was confirmed against it, and a challenger that was confirmed against the best.
class DisputedRun
{
public:
    DisputedRun()
    {
        RunSettings settings;
        settings.islands = 1;
        record(events::RunCreated{settings});
        record(events::IslandCreated{{1}, "A", "evolve", Focus::Explore});
        add(spanning(1, 0), {1}, spanning(1, 0));
        add(spanning(10, 0.05), {1}, spanning(10, 0.05));
        add(spanning(12, 0.06), best, spanning(1.2, 0.01));
    }

    void add(const Interval& score, CandidateId against, const Interval& pair)
    {
        Candidate candidate;
        candidate.id = {static_cast<std::int64_t>(state.candidates.size()) + 1};
        candidate.island = {1};
        candidate.program = sha256("program " + std::to_string(candidate.id.value));
        if (candidate.id != CandidateId{1})
            candidate.parents = {{1}};
        record(events::CandidateMade{candidate});
        measure(candidate.id, Purpose::Confirm, score, against, pair, 1e6);
        record(events::StageReached{candidate.id, Stage::Done});
    }

    /// Its baseline took so long; the candidate's time follows from the score.
    void measure(CandidateId id, Purpose purpose, const Interval& score, CandidateId against, const Interval& pair,
        double baselineNs)
    {
        Evaluation evaluation;
        evaluation.id = {static_cast<std::int64_t>(state.evaluations.size()) + 1};
        evaluation.candidate = id;
        evaluation.against = against;
        evaluation.result.purpose = purpose;
        evaluation.result.outcome = Outcome::Ranked;
        evaluation.result.score = score;
        evaluation.result.versusIncumbent = pair;
        evaluation.result.verdict = Verdict::Better;
        evaluation.result.noiseFloor = 0.005;
        ShapeResult shape;
        shape.shape = {64};
        shape.baselineNs = baselineNs;
        shape.candidateNs = baselineNs / score.value;
        shape.versusBaseline = score;
        evaluation.result.shapes = {shape};
        record(events::Evaluated{evaluation, 0});
    }

    Agreement rerun(
        const Interval& score, double baselineNs, CandidateId asked = {}, const Interval& pair = {1.2, 1.19, 1.21})
    {
        record(events::RerunAsked{{static_cast<std::int64_t>(state.reruns.size()) + 1}, challenger, 1, asked});
        measure(challenger, Purpose::Rerun, score, asked ? asked : best, pair, baselineNs);
        const Evaluation& last = state.evaluations[state.evaluations.size() - 1];
        return findingOf(state, *state.candidate(challenger), last).agreement;
    }
    bool isDisputed() const { return state.candidate(challenger)->disputed; }

    void record(EventBody body)
    {
        const auto applied = apply(state, Event{RunId{1}, state.lastSeq + 1, {}, std::move(body)});
        if (!applied)
            qFatal("%s", applied.error().text.c_str());
    }

    static constexpr CandidateId best{2}, challenger{3};
    RunState state;
};

} // namespace

class TestDispute : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aScoreWhoseIntervalOverlapsAgreesHoweverSmallTheNoise()
    {
        DisputedRun run;
        QCOMPARE(run.rerun(spanning(11.9, 0.06), 1e6), Agreement::Agrees); // beyond the noise of 0.5 %
        QVERIFY(!run.isDisputed());
    }

    void aFasterResultIsNoDispute()
    {
        DisputedRun run;
        QCOMPARE(run.rerun(spanning(13, 0.06), 1e6), Agreement::Faster);
        QVERIFY(!run.isDisputed());
    }

    void aLowerScoreContradictsWhereTheBaselineTookAsLongAsBefore()
    {
        DisputedRun run;
        QCOMPARE(run.rerun(spanning(11, 0.06), 1.001e6), Agreement::Contradicts);
        QVERIFY(run.isDisputed());
        QVERIFY(disputeOf(run.state, *run.state.candidate(DisputedRun::challenger)));
    }

    void aLowerScoreIsDriftWhereTheBaselineTookAnotherTime()
    {
        DisputedRun run;
        QCOMPARE(run.rerun(spanning(11, 0.06), 0.92e6), Agreement::Drift);
        QVERIFY(!run.isDisputed());
        const Evaluation& last = run.state.evaluations[run.state.evaluations.size() - 1];
        const auto moved = findingOf(run.state, *run.state.candidate(DisputedRun::challenger), last).moved;
        QVERIFY(moved);
        QVERIFY(std::abs(moved->baseline - 0.92) < 1e-9);
        QVERIFY(std::abs(moved->candidate - 0.92 * 12 / 11) < 1e-9);
    }

    void theNewestThoroughMeasurementEndsADispute()
    {
        DisputedRun run;
        run.rerun(spanning(11, 0.06), 1e6);
        QVERIFY(run.isDisputed());
        QCOMPARE(run.rerun(spanning(12.02, 0.06), 1e6), Agreement::Agrees);
        QVERIFY(!run.isDisputed());
        QVERIFY(!disputeOf(run.state, *run.state.candidate(DisputedRun::challenger)));
        run.rerun(spanning(11, 0.06), 1e6);
        QVERIFY(run.isDisputed());
    }

    void besideItsFirstOpponentThePairDecidesWhateverTheScore()
    {
        DisputedRun run;
        QCOMPARE(opponentOfFirst(run.state, *run.state.candidate(DisputedRun::challenger)), DisputedRun::best);
        run.rerun(spanning(11, 0.06), 1e6);
        // Still better than the best, though the score is lower than it was.
        QCOMPARE(run.rerun(spanning(11, 0.06), 1e6, DisputedRun::best, spanning(1.15, 0.01)), Agreement::Agrees);
        QVERIFY(!run.isDisputed());
        // Not told apart from it any more, though the score is as it was.
        QCOMPARE(run.rerun(spanning(12, 0.06), 1e6, DisputedRun::best, spanning(1.0, 0.01)), Agreement::Contradicts);
        QVERIFY(run.isDisputed());
        const auto dispute = disputeOf(run.state, *run.state.candidate(DisputedRun::challenger));
        QVERIFY(dispute && dispute->disagreement.words.find("against c-0002 it was better") == 0);
        QCOMPARE(opponentOfFirst(run.state, *run.state.candidate(DisputedRun::best)), CandidateId{1});
    }
};

TILEWRIGHT_TEST(TestDispute)
#include "test_dispute.moc"
