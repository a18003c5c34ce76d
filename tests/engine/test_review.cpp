// SPDX-License-Identifier: GPL-3.0-or-later
// The review gate: what waits for a user, and what each word of theirs does.
#include "core/model/requests/reply_outcome.h"
#include "core/model/reviews/review_queue.h"
#include "core/prompt/attempts.h"
#include "core/store/session_reader.h"
#include "core/store/session_writer.h"
#include "tests/engine/dry_run.h"
#include "tests/engine/engine_driver.h"
#include "tests/patience.h"
#include "tests/test_program.h"

#include <algorithm>
#include <functional>

using namespace tilewright;
using namespace tilewright::testing;

namespace {

std::vector<CandidateId> waitingIn(const RunState& run)
{
    std::vector<CandidateId> ids;
    for (const Candidate& candidate : run.candidates)
        if (candidate.stage == Stage::Review)
            ids.push_back(candidate.id);
    return ids;
}

/// A run whose candidates wait, at the moment when nothing but a user can move it.
class GatedRun : public EngineDriver
{
public:
    explicit GatedRun(const TaskPack& pack, std::int64_t evaluations, IslandPolicies policy)
    {
        NewSession session;
        session.path = path();
        session.pack = pack;
        session.settings.budget.evaluations = evaluations;
        session.settings.review = std::move(policy);
        session.settings.reviewLimit = 0;
        engine.create(session);
    }

    bool waitForPerson()
    {
        return QTest::qWaitFor([this] { return engine.snapshot()->status.waitingCode == "reviews"; }, patience);
    }

    bool pauseNow()
    {
        execute(commands::Pause{});
        return waitForEnd();
    }

    /// Each is approved after a quick look at it was asked for, and something else is done next.
    void approveWhileLookedAt(
        const std::vector<CandidateId>& ids, const std::function<void(CandidateId)>& next = [](CandidateId) {})
    {
        for (const CandidateId id : ids) {
            execute(commands::Rerun{id, 1, {}});
            execute(commands::Decide{{id}, Decision::Approved, ""});
            next(id);
        }
    }
    /// With a line of a user's own: the text that is approved.
    std::string approveByHand(CandidateId id, const QString& reason = {})
    {
        const std::string written = withLine(text(id), "static int by_hand = 1;");
        execute(commands::ApproveEdited{id, written, reason.toStdString()});
        return written;
    }

    Stage stageOf(CandidateId id) { return run().candidate(id)->stage; }
    /// The newest question about it.
    Review reviewOf(CandidateId id)
    {
        const RunState state = run();
        return *state.review(state.candidate(id)->review);
    }
    using EngineDriver::text;
    std::string text(CandidateId id) { return text(run().candidate(id)->source); }
};

} // namespace

class TestReview : public QObject
{
    Q_OBJECT

    const TaskPack m_pack = gemmPack();
    const IslandPolicies m_every{{IslandId{}, ReviewPolicy::Every}};

private Q_SLOTS:
    void whatWaitsIsBuiltAndCheckedButNotMeasured()
    {
        GatedRun run(m_pack, 9, m_every);
        QVERIFY(run.waitForPerson());
        QCOMPARE(waitingIn(run.run()).size(), std::size_t(8)); // all but the seed
        QCOMPARE(run.run().waitingReviews, 8);
        QCOMPARE(run.run().evaluationsStarted, 9);
        const RunState state = run.run();
        for (const Candidate& candidate : state.candidates)
            QCOMPARE(candidate.outcome, candidate.id == CandidateId{1} ? Outcome::Ranked : Outcome::None);
        QCOMPARE(run.run().phase, events::Phase::Running);
    }

    void whatIsApprovedGoesOnToItsMeasurement()
    {
        GatedRun run(m_pack, 6, m_every);
        QVERIFY(run.waitForPerson());
        for (const CandidateId id : waitingIn(run.run()))
            run.execute(commands::Decide{{id}, Decision::Approved, ""});
        QVERIFY(run.waitForEnd());
        QCOMPARE(run.ended->run.phase, events::Phase::Finished);
        QCOMPARE(run.ended->run.evaluationsDone, 6);
        QCOMPARE(run.ended->run.waitingReviews, 0);
        for (const Candidate& candidate : run.ended->run.candidates)
            QCOMPARE(candidate.stage, Stage::Done);
        QVERIFY(run.failures.isEmpty());
    }

    void aQuickLookIsAFurtherResultAndNoVerdict()
    {
        GatedRun run(m_pack, 5, m_every);
        QVERIFY(run.waitForPerson());
        const std::vector<CandidateId> ids = waitingIn(run.run());
        const std::size_t before = run.run().evaluations.size();
        run.execute(commands::Rerun{ids.front(), 2, {}});
        QCOMPARE(run.failures, QStringList{QStringLiteral("rerun/early")}); // more than a quick look
        run.execute(commands::Rerun{ids.front(), 1, {}});
        QTRY_COMPARE_WITH_TIMEOUT(run.run().evaluations.size(), before + 1, patience);
        const RunState looked = run.run();
        const Evaluation& quick = looked.evaluations.back();
        QCOMPARE(quick.candidate, ids.front());
        QCOMPARE(quick.result.purpose, Purpose::Rerun);
        QCOMPARE(quick.result.outcome, Outcome::Ranked);
        QVERIFY(quick.result.score.has_value());
        QVERIFY(openRerunOf(looked, ids.front()) == nullptr);
        const Candidate& candidate = *looked.candidate(ids.front());
        QCOMPARE(candidate.stage, Stage::Review); // it waits as before
        QCOMPARE(candidate.outcome, Outcome::None);
        QVERIFY(!candidate.score);
        QVERIFY(!candidate.latest);
        QVERIFY(!candidate.disputed);
        QCOMPARE(looked.waitingReviews, 4);
        QCOMPARE(looked.evaluationsDone, 1); // the seed's
        QVERIFY(QTest::qWaitFor([&run] { return run.engine.snapshot()->status.waitingCode == "reviews"; }, patience));
        for (const CandidateId id : ids)
            run.execute(commands::Decide{{id}, Decision::Approved, ""});
        QVERIFY(run.waitForEnd());
        for (const Candidate& each : run.ended->run.candidates)
            QCOMPARE(each.stage, Stage::Done);
        QVERIFY(run.ended->run.candidate(ids.front())->latest != quick.id);
    }

    void whatIsApprovedInTheMiddleOfAQuickLookIsMeasuredAfterIt()
    {
        GatedRun run(m_pack, 4, m_every);
        QVERIFY(run.waitForPerson());
        run.approveWhileLookedAt(waitingIn(run.run()));
        QVERIFY(run.waitForEnd());
        QCOMPARE(run.ended->run.phase, events::Phase::Finished);
        for (const Candidate& each : run.ended->run.candidates) {
            QCOMPARE(each.stage, Stage::Done);
            QVERIFY(each.latest);
            QVERIFY(!each.disputed);
        }
        QVERIFY(run.failures.isEmpty());
    }

    /// The quick result alone: the candidate keeps its place in the queue, whether that has begun or not.
    void aQuickResultThatIsTakenBackTakesNoApprovalWithIt()
    {
        GatedRun run(m_pack, 4, m_every);
        QVERIFY(run.waitForPerson());
        const std::vector<CandidateId> ids = waitingIn(run.run());
        run.approveWhileLookedAt(ids, [&run](CandidateId id) { run.execute(commands::CancelReruns{id}); });
        QVERIFY(run.waitForEnd());
        QCOMPARE(run.ended->run.phase, events::Phase::Finished);
        for (const Candidate& each : run.ended->run.candidates)
            QCOMPARE(each.stage, Stage::Done);
        QCOMPARE(run.ended->run.reruns.size(), ids.size());
        for (const Rerun& each : run.ended->run.reruns)
            QVERIFY(each.withdrawn && !each.evaluation);
        QVERIFY(run.failures.isEmpty());
    }

    void whatIsRejectedIsOverAndItsReasonGoesIntoPrompts()
    {
        GatedRun run(m_pack, 4, m_every);
        QVERIFY(run.waitForPerson());
        const std::vector<CandidateId> ids = waitingIn(run.run());
        run.execute(commands::Decide{{ids.front()}, Decision::Rejected, "reads past the row's end"});
        const Candidate rejected = *run.run().candidate(ids.front());
        QCOMPARE(rejected.stage, Stage::Rejected);
        QCOMPARE(rejected.rule, std::string("review/rejected"));
        QCOMPARE(run.run().outcomes.at("rejected"), 1);
        const RunState state = run.run();
        const auto lines = failureLines({state, m_pack, [](const Hash&) { return std::string(); }}, rejected.island);
        const bool told = std::any_of(lines.begin(), lines.end(), [](const std::string& line) {
            return line.find("rejected by a user, with the reason: reads past the row's end") != std::string::npos;
        });
        QVERIFY2(told, lines.empty() ? "no lines" : lines.front().c_str());
        for (std::size_t i = 1; i < ids.size(); ++i)
            run.execute(commands::Decide{{ids[i]}, Decision::Approved, ""});
        QVERIFY(run.waitForEnd());
        QCOMPARE(run.stageOf(ids.front()), Stage::Rejected);
        QCOMPARE(run.run().evaluationsDone, 4); // it was built: it counts
    }

    void aRejectionNeedsAReason()
    {
        GatedRun run(m_pack, 3, m_every);
        QVERIFY(run.waitForPerson());
        const CandidateId id = waitingIn(run.run()).front();
        run.execute(commands::Decide{{id}, Decision::Rejected, "  "});
        QCOMPARE(run.failures, QStringList{QStringLiteral("review/reason")});
        QCOMPARE(run.stageOf(id), Stage::Review);
    }

    void whatIsDeferredGoesOnWaiting()
    {
        GatedRun run(m_pack, 3, m_every);
        QVERIFY(run.waitForPerson());
        const CandidateId id = waitingIn(run.run()).front();
        run.execute(commands::Decide{{id}, Decision::Deferred, ""});
        QCOMPARE(run.stageOf(id), Stage::Review);
        QCOMPARE(run.reviewOf(id).decision, Decision::Deferred);
        QCOMPARE(run.run().waitingReviews, 2);
        run.execute(commands::UndoReview{{id}});
        QCOMPARE(run.reviewOf(id).decision, Decision::Waiting);
        QCOMPARE(run.reviewOf(id).decidedSeq, std::int64_t(0));
        QCOMPARE(run.run().waitingReviews, 2);
        run.execute(commands::UndoReview{{id}});
        QCOMPARE(run.failures, QStringList{QStringLiteral("review/not-decided")});
        run.execute(commands::Decide{{id}, Decision::Deferred, ""});
        run.execute(commands::Decide{{id}, Decision::Approved, ""});
        QCOMPARE(run.run().waitingReviews, 1);
    }

    void aWordCanBeTakenBackUntilMeasuringStarts()
    {
        GatedRun run(m_pack, 3, m_every);
        QVERIFY(run.waitForPerson());
        QVERIFY(run.pauseNow());
        const std::vector<CandidateId> ids = waitingIn(run.run());
        run.execute(commands::Decide{{ids[0]}, Decision::Approved, ""});
        run.execute(commands::Decide{{ids[1]}, Decision::Rejected, "no"});
        QCOMPARE(run.run().waitingReviews, 0);
        for (const CandidateId id : ids) {
            run.execute(commands::UndoReview{{id}});
            QCOMPARE(run.stageOf(id), Stage::Review);
        }
        QCOMPARE(run.run().waitingReviews, 2);
        QCOMPARE(run.run().outcomes.at("rejected"), 0);
        run.execute(commands::UndoReview{{ids[0]}});
        QCOMPARE(run.failures, QStringList{QStringLiteral("review/not-decided")});
        for (const CandidateId id : ids)
            run.execute(commands::Decide{{id}, Decision::Approved, ""});
        run.execute(commands::Run{});
        QVERIFY(run.waitForEnd());
        QCOMPARE(run.run().evaluationsDone, 3);
        run.execute(commands::UndoReview{{ids[0]}});
        QCOMPARE(run.failures.last(), QStringLiteral("review/too-late"));
        QCOMPARE(run.stageOf(ids[0]), Stage::Done);
    }

    void anEditThatIsTakenBackCountsNowhere()
    {
        GatedRun run(m_pack, 3, m_every);
        QVERIFY(run.waitForPerson());
        const RunState before = run.run();
        const CandidateId id = waitingIn(before).front();
        run.approveByHand(id);
        const CandidateId made = run.reviewOf(id).edited;
        run.execute(commands::UndoReview{{id}});
        QVERIFY2(run.failures.isEmpty(), qPrintable(run.failures.join(u' ')));
        const RunState after = run.run();
        QVERIFY(after.candidate(made)->takenBack); // only the record tells of it
        QCOMPARE(after.proposal(after.candidate(made)->proposal)->state, ProposalState::Withdrawn);
        for (const char* outcome : {"rejected", "edited"})
            QVERIFY(!after.outcomes.contains(outcome) || after.outcomes.at(outcome) == 0);
        QCOMPARE(after.evaluationsStarted, before.evaluationsStarted);
        QCOMPARE(after.evaluationsDone, before.evaluationsDone);
        QVERIFY(patchTalliesByAuthor(after) == patchTalliesByAuthor(before));
    }

    void anEditTakesThePlaceOfWhatItWasMadeFrom()
    {
        GatedRun run(m_pack, 3, m_every);
        QVERIFY(run.waitForPerson());
        const CandidateId id = waitingIn(run.run()).front();
        const std::string text = run.approveByHand(id, QStringLiteral("counted"));
        QVERIFY2(run.failures.isEmpty(), qPrintable(run.failures.join(u' ')));
        const Review review = run.reviewOf(id);
        QCOMPARE(review.decision, Decision::Edited);
        QCOMPARE(run.run().outcomes.at("edited"), 1); // it goes on as another text: no rejection
        QCOMPARE(run.run().outcomes.count("rejected"), std::size_t(0));
        const Candidate made = *run.run().candidate(review.edited);
        QCOMPARE(run.stageOf(id), Stage::Rejected);
        QCOMPARE(run.run().candidate(id)->rule, std::string("review/edited"));
        const RunState after = run.run();
        const std::string old = candidateName(id), fresh = candidateName(made.id);
        QCOMPARE(wordsOfEdit(after, *after.candidate(id)), "edited: " + fresh);
        QCOMPARE(wordsOfEdit(after, made), "edited from " + old);
        QCOMPARE(wordsOfEdit(after, *after.candidate({1})), std::string());
        QCOMPARE(made.parents, after.candidate(id)->parents);
        QCOMPARE(after.proposal(made.proposal)->proposer, std::string("person"));
        QCOMPARE(run.text(made.id), text);
        run.execute(commands::SetBudget{{4, 0, 0, 0}}); // the edit is an evaluation of its own
        for (const CandidateId other : waitingIn(run.run()))
            run.execute(commands::Decide{{other}, Decision::Approved, ""});
        QVERIFY(run.waitForEnd());
        QCOMPARE(run.stageOf(made.id), Stage::Done); // without a question of its own
        QCOMPARE(run.run().candidate(made.id)->outcome, Outcome::Ranked);
    }

    void anEditThatDoesNotApplyLeavesTheQuestionOpen()
    {
        GatedRun run(m_pack, 3, m_every);
        QVERIFY(run.waitForPerson());
        const CandidateId id = waitingIn(run.run()).front();
        const std::string text = run.text(id);
        run.execute(commands::ApproveEdited{id, text, ""});
        QCOMPARE(run.failures, QStringList{QStringLiteral("review/no-change")});
        run.execute(commands::ApproveEdited{id, "int outside;\n" + text, ""});
        QCOMPARE(run.failures.size(), 2);
        QVERIFY2(run.failures.last().startsWith(QStringLiteral("patch/")), qPrintable(run.failures.last()));
        run.execute(commands::ApproveEdited{id, m_pack.seed(), ""});
        QCOMPARE(run.failures.last(), QStringLiteral("review/no-change"));
        QCOMPARE(run.stageOf(id), Stage::Review);
    }

    void eachIslandHasItsOwnPolicy()
    {
        GatedRun run(m_pack, 24, {{IslandId{2}, ReviewPolicy::Every}});
        QVERIFY(run.waitForPerson());
        int elsewhere = 0;
        const RunState state = run.run();
        for (const Candidate& candidate : state.candidates) {
            const bool waits = candidate.stage == Stage::Review;
            const bool isOfB = candidate.island == IslandId{2} && !candidate.migrated;
            QCOMPARE(waits, isOfB);
            elsewhere += isOfB ? 0 : 1;
        }
        QVERIFY(elsewhere > 6);
        QVERIFY(run.run().waitingReviews > 0);
    }

    void theRiskyPolicyHoldsWhatHasRisksAndNamesThem()
    {
        GatedRun run(m_pack, 30, {{IslandId{}, ReviewPolicy::Risky}});
        QVERIFY(run.waitForPerson());
        std::size_t waiting = 0, passed = 0;
        const RunState state = run.run();
        for (const Candidate& candidate : state.candidates) {
            if (candidate.migrated || candidate.parents.empty())
                continue;
            if (candidate.stage == Stage::Review) {
                ++waiting;
                QVERIFY(!state.review(candidate.review)->risks.empty());
            } else {
                ++passed;
                QVERIFY(!candidate.review);
            }
        }
        QVERIFY(waiting > 0);
        QVERIFY(passed > 0);
    }

    void aPolicyThatHoldsNothingLetsThroughWhatWaits()
    {
        GatedRun run(m_pack, 8, m_every);
        QVERIFY(run.waitForPerson());
        run.execute(commands::SetReviewPolicies{{{{}, ReviewPolicy::Automatic}}});
        QVERIFY(run.waitForEnd());
        QCOMPARE(run.run().phase, events::Phase::Finished);
        QCOMPARE(run.run().evaluationsDone, 8);
        QCOMPARE(run.run().reviews[0].by, std::string("policy"));
        run.execute(commands::SetReviewPolicies{{{IslandId{9}, ReviewPolicy::Every}}});
        QCOMPARE(run.failures, QStringList{QStringLiteral("island/unknown")});
    }

    void aPolicyFromNowOnLeavesWhatWaitsToThePerson()
    {
        GatedRun run(m_pack, 20, m_every);
        run.execute(commands::SetReviewLimit{1});
        QVERIFY(run.waitForPerson());
        const std::vector<CandidateId> before = waitingIn(run.run());
        QVERIFY(!before.empty());
        run.execute(commands::SetReviewPolicies{{{{}, ReviewPolicy::Automatic}}, WhatWaits::Stays});
        QCOMPARE(waitingIn(run.run()), before);
        const std::int64_t others = 20 - static_cast<std::int64_t>(before.size()); // they come, and are not asked about
        QVERIFY(QTest::qWaitFor([&] { return run.run().evaluationsDone == others; }, patience));
        QVERIFY(run.waitForPerson());
        QCOMPARE(waitingIn(run.run()), before);
        for (const CandidateId each : before)
            run.execute(commands::Decide{{each}, Decision::Approved, ""});
        QVERIFY(run.waitForEnd());
        QCOMPARE(run.run().evaluationsDone, 20);
        for (const Review& review : run.run().reviews)
            QCOMPARE(review.by, std::string("person"));
    }

    void whatWaitsStillWaitsAfterReopening()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("kept.tilewright"));
        std::vector<CandidateId> before;
        {
            GatedRun run(m_pack, 5, m_every);
            QVERIFY(run.waitForPerson());
            before = waitingIn(run.run());
            run.execute(commands::Decide{{before.front()}, Decision::Rejected, "no"});
            run.execute(commands::Decide{{before.back()}, Decision::Approved, ""});
            run.execute(commands::SaveCopy{path.toStdString()});
            QVERIFY(run.close());
        }
        EngineDriver again({}, path);
        again.engine.open(path);
        QCOMPARE(again.run().waitingReviews, 2);
        QCOMPARE(again.run().candidate(before.front())->stage, Stage::Rejected);
        again.execute(commands::Run{});
        QVERIFY(QTest::qWaitFor([&] { return again.engine.snapshot()->status.waitingCode == "reviews"; }, patience));
        QCOMPARE(again.run().candidate(before.back())->stage, Stage::Done);
        again.execute(commands::SetReviewPolicies{{{{}, ReviewPolicy::Automatic}}});
        QVERIFY(again.waitForEnd());
        QCOMPARE(again.run().evaluationsDone, 5);
        QVERIFY(again.close());
        auto writer = SessionWriter::open(path.toStdString());
        QVERIFY(writer.has_value());
        const auto hash = (*writer)->projectionsHash();
        QVERIFY((*writer)->rebuildProjections().has_value());
        QCOMPARE((*writer)->projectionsHash().value().hex(), hash.value().hex());
    }

    void aWordOnWhatDoesNotWaitIsRefused()
    {
        GatedRun run(m_pack, 3, m_every);
        QVERIFY(run.waitForPerson());
        run.execute(commands::Decide{{{1}}, Decision::Approved, ""});
        run.execute(commands::Decide{{{99}}, Decision::Approved, ""});
        run.execute(commands::ApproveEdited{{1}, "x", ""});
        QCOMPARE(run.failures,
            (QStringList{QStringLiteral("review/not-waiting"), QStringLiteral("review/unknown"),
                QStringLiteral("review/not-waiting")}));
    }

    void thePauseWaitsForNobody()
    {
        GatedRun run(m_pack, 5, m_every);
        QVERIFY(run.waitForPerson());
        QVERIFY(run.pauseNow());
        QCOMPARE(run.ended->run.phase, events::Phase::Paused);
        QCOMPARE(run.ended->run.waitingReviews, 4);
    }
};

TILEWRIGHT_TEST(TestReview)
#include "test_review.moc"
