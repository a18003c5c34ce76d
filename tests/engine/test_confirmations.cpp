// SPDX-License-Identifier: GPL-3.0-or-later
// When candidates are confirmed, what they are good for until then, and what is left of one that falls.
#include "tests/engine/dry_run.h"
#include "tests/engine/engine_driver.h"
#include "tests/test_program.h"

#include <algorithm>
#include <set>

using namespace tilewright;
using namespace tilewright::testing;
using namespace Qt::StringLiterals;

namespace {

bool isConfirmation(const Evaluation& evaluation)
{
    return evaluation.result.purpose == Purpose::Confirm && evaluation.candidate != CandidateId{1};
}

std::vector<Evaluation> evaluationsOf(const RunState& run) { return {run.evaluations.begin(), run.evaluations.end()}; }

/// Candidates in the order in which they were confirmed, the seed left out.
std::vector<CandidateId> confirmedOnes(const RunState& run)
{
    std::vector<CandidateId> candidates;
    for (const Evaluation& evaluation : run.evaluations)
        if (isConfirmation(evaluation))
            candidates.push_back(evaluation.candidate);
    return candidates;
}

/// Screened score of a candidate; 0 without one.
double screenedScore(const RunState& run, CandidateId candidate)
{
    for (const Evaluation& evaluation : run.evaluations)
        if (evaluation.candidate == candidate && evaluation.result.purpose == Purpose::Screen
            && evaluation.result.score)
            return evaluation.result.score->value;
    return 0;
}

} // namespace

class TestConfirmations : public QObject
{
    Q_OBJECT

    const TaskPack m_pack = gemmPack();

private Q_SLOTS:
    void longOnesWaitForOtherWorkAndTheBestGoesFirst()
    {
        EngineDriver driver({u"--confirm-s"_s, u"3600"_s});
        driver.create(m_pack, 40);
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.run();
        QCOMPARE(run.phase, events::Phase::Finished);
        QCOMPARE(run.outcomes.at("ranked"), 40);

        // All is screened beside the seed first; nothing that is clearly behind the first confirmed follows it.
        const std::vector<CandidateId> confirmed = confirmedOnes(run);
        QVERIFY(!confirmed.empty());
        const std::vector<Evaluation> all = evaluationsOf(run);
        QCOMPARE(std::ranges::find_if(all, isConfirmation) - all.begin(), std::ptrdiff_t(40));
        int better = 0;
        for (const Candidate& candidate : run.candidates) {
            const double screened = screenedScore(run, candidate.id);
            QVERIFY2(screened <= screenedScore(run, confirmed.front()), candidateName(candidate.id).c_str());
            better += screened > 1.05;
            QCOMPARE(candidate.stage, Stage::Done);
        }
        QVERIFY2(static_cast<int>(confirmed.size()) < better, qPrintable(QString::number(confirmed.size())));
        QVERIFY(run.best()->confirmed);
        QVERIFY(run.best()->score->value > 1.05);
    }

    void whatTookItsNodeWithItIsNotPutOffBehindWorkThatWaitsForIt()
    {
        const QTemporaryDir folder;
        EngineDriver driver({u"--confirm-s"_s, u"3600"_s, u"--garbled-once"_s, folder.filePath(u"garbled"_s)});
        driver.create(m_pack, 6);
        QVERIFY(driver.waitForEnd());
        QVERIFY(tells(driver.run(), "unreadable"));
        QCOMPARE(driver.run().outcomes.at("ranked"), 6);
    }

    void whoWaitsToBeConfirmedIsBuiltUpon()
    {
        EngineDriver driver({u"--confirm-s"_s, u"3600"_s});
        driver.create(m_pack, 40);
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.run();
        const std::vector<CandidateId> confirmed = confirmedOnes(run);
        const auto wasParent = [&](CandidateId id) {
            return std::ranges::any_of(run.candidates,
                [&](const Candidate& child) { return std::ranges::count(child.parents, id) > 0 && !child.migrated; });
        };
        QVERIFY(wasParent(confirmed.front()) || std::ranges::any_of(run.candidates, [&](const Candidate& candidate) {
            return candidate.generation > 1 && candidate.stage == Stage::Done && !candidate.migrated;
        }));
    }

    void shortOnesComeAtOnce()
    {
        EngineDriver driver;
        driver.create(m_pack, 40);
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.run();
        const std::vector<Evaluation> all = evaluationsOf(run);
        for (auto at = all.begin(); at != all.end(); ++at)
            if (at->result.purpose == Purpose::Screen && at->result.verdict == Verdict::Better) {
                QVERIFY(at + 1 != all.end());
                QCOMPARE((at + 1)->candidate, at->candidate);
                QCOMPARE((at + 1)->result.purpose, Purpose::Confirm);
            }
    }

    void whatFallsIsNoIslandsBest()
    {
        EngineDriver driver({u"--falls"_s, u"2"_s});
        driver.create(m_pack, 40);
        QVERIFY(driver.waitForEnd());
        const RunState& run = driver.run();
        int fallen = 0;
        for (const Candidate& candidate : run.candidates)
            if (screenedScore(run, candidate.id) > 0 && candidate.outcome == Outcome::Refused) {
                ++fallen;
                QCOMPARE(candidate.rule, std::string("verify/timed"));
                QVERIFY(!candidate.isRanked());
            }
        QVERIFY(fallen > 0);
        for (const Island& island : run.islands) {
            const Candidate* best = run.candidate(island.best);
            QVERIFY(best && best->isRanked());
            for (const auto& [evaluations, score] : island.bestTrace)
                QVERIFY(score <= best->score->value); // a confirmation corrects what a screening told
            QCOMPARE(island.bestTrace.back().second, best->score->value);
        }
    }
};

TILEWRIGHT_TEST(TestConfirmations)
#include "test_confirmations.moc"
