// SPDX-License-Identifier: GPL-3.0-or-later
// A user's words on edits that wait, each beside a twin in which they wait on: what is measured, who becomes a
// parent, and what the next prompts tell.
#include "tests/engine/landscape.h"
#include "tests/engine/twins.h"
#include "tests/test_program.h"

#include <set>

using namespace tilewright;
using namespace tilewright::testing;
using namespace Qt::StringLiterals;

namespace {

constexpr IslandId islandC{3};

/// Every edit of island B waits, and B edits its best alone.
TwinBeginning waitingOnB()
{
    TwinBeginning beginning;
    beginning.review = {{islandB, ReviewPolicy::Every}};
    beginning.steering = {{islandB, editsItsBest()}};
    return beginning;
}

/// Of what waits on island B the one that will be the fastest.
CandidateId likeliestOf(EngineDriver& driver)
{
    CandidateId best;
    double speed = 0;
    const RunState state = driver.run();
    for (const Candidate& each : state.candidates) {
        const double its = each.stage == Stage::Review ? syntheticSpeed(driver.text(each.source)) : 0;
        if (its > speed) {
            speed = its;
            best = each.id;
        }
    }
    return best;
}

std::set<IslandId> differing(const AskedPrompts& one, const AskedPrompts& other)
{
    std::set<IslandId> ids;
    for (const auto& [id, prompt] : one)
        if (!other.contains(id) || other.at(id).text != prompt.text)
            ids.insert(id);
    return ids;
}

} // namespace

class TestReviewTwins : public QObject
{
    Q_OBJECT

    std::optional<TwinRecord> m_free;
    std::optional<TwinRecord> m_begun;

    /// The next proposal of each island is the one of the untouched twin.
    static void compareNextFour(Twins& twins)
    {
        for (int i = 0; i < 4; ++i)
            QVERIFY(twins.step(twins.steered) == twins.step(*twins.untouched));
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_free.emplace(gemmPack(), TwinBeginning{});
        m_begun.emplace(gemmPack(), waitingOnB());
    }

    void theReasonOfARejectionStandsInTheNextPromptOfItsIslandAndInNoOther()
    {
        Twins twins(*m_begun);
        QVERIFY(twins.ready);
        const CandidateId id = likeliestOf(twins.steered);
        QVERIFY(id);
        twins.steered.execute(commands::Decide{{id}, Decision::Rejected, "it reads past the end of a row"});
        QVERIFY(twins.steered.failures.isEmpty());
        const AskedPrompts untouched = twins.ask(*twins.untouched), steered = twins.ask(twins.steered);
        QVERIFY(twins.beganAlike());
        QCOMPARE(differing(untouched, steered), std::set<IslandId>{islandB});
        const std::string words = "rejected by a user, with the reason: it reads past the end of a row";
        QVERIFY2(steered.at(islandB).text.find(words) != std::string::npos, steered.at(islandB).text.c_str());
        QVERIFY(untouched.at(islandB).text.find(words) == std::string::npos);
        QCOMPARE(steered.at(islandB).modelRequest.parents, untouched.at(islandB).modelRequest.parents);
    }

    void whatIsRejectedIsNeverMeasuredAndIsNoParent()
    {
        Twins twins(*m_begun);
        QVERIFY(twins.ready);
        const CandidateId id = likeliestOf(twins.steered);
        twins.steered.execute(commands::Decide{{id}, Decision::Rejected, "no"});
        twins.untouched->engine.execute(
            commands::Decide{{id}, Decision::Approved, ""}); // the other word, for the same edit
        for (EngineDriver* twin : {&twins.steered, twins.untouched.get()})
            twins.settle(*twin);
        QCOMPARE(twins.state(twins.steered).candidate(id)->outcome, Outcome::None);
        QCOMPARE(twins.state(*twins.untouched).candidate(id)->outcome, Outcome::Ranked);
        const Proposal steered = twins.stepOf(twins.steered, islandB), twin = twins.stepOf(*twins.untouched, islandB);
        QCOMPARE(twin.parents.front(), id);
        QVERIFY(steered.parents.front() != id);
        QCOMPARE(steered.ordinal, twin.ordinal);
    }

    void whatIsApprovedIsMeasuredAndTheNextEditOfItsIslandIsOneOfIt()
    {
        Twins twins(*m_begun);
        QVERIFY(twins.ready);
        const CandidateId id = likeliestOf(twins.steered);
        QVERIFY(id);
        const auto before = nextOfEach(twins.state(twins.steered));
        QCOMPARE(before, nextOfEach(twins.state(*twins.untouched)));
        twins.steered.execute(commands::Decide{{id}, Decision::Approved, ""});
        for (EngineDriver* twin : {&twins.steered, twins.untouched.get()})
            twins.settle(*twin);
        QCOMPARE(twins.state(twins.steered).candidate(id)->outcome, Outcome::Ranked);
        QCOMPARE(twins.state(*twins.untouched).candidate(id)->stage, Stage::Review);
        QCOMPARE(twins.state(twins.steered).waitingReviews, twins.state(*twins.untouched).waitingReviews - 1);
        auto others = before;
        others.erase(islandB);
        for (const auto& [island, request] : others)
            QCOMPARE(nextOfEach(twins.state(twins.steered)).at(island), request);
        const Proposal steered = twins.stepOf(twins.steered, islandB), twin = twins.stepOf(*twins.untouched, islandB);
        QCOMPARE(steered.parents, std::vector<CandidateId>{id});
        QVERIFY(twin.parents.front() != id);
        QCOMPARE(std::pair(steered.ordinal, steered.focus), std::pair(twin.ordinal, twin.focus));
        QVERIFY(twins.beganAlike());
    }

    void whatIsApprovedWithEditsIsMeasuredAsEditedAndTheNextEditIsOneOfThat()
    {
        Twins twins(*m_begun);
        QVERIFY(twins.ready);
        const CandidateId id = likeliestOf(twins.steered);
        const Candidate original = *twins.state(twins.steered).candidate(id);
        const std::string text = withLine(twins.steered.text(original.source), "static int put_in_by_hand = 1;");
        twins.steered.execute(commands::ApproveEdited{id, text, "counted"});
        QVERIFY2(twins.steered.failures.isEmpty(), qPrintable(twins.steered.failures.join(u' ')));
        for (EngineDriver* twin : {&twins.steered, twins.untouched.get()})
            twins.settle(*twin);
        const RunState after = twins.state(twins.steered);
        const CandidateId made = after.review(original.review)->edited;
        QVERIFY(made);
        QCOMPARE(after.candidate(made)->outcome, Outcome::Ranked);
        QCOMPARE(after.candidate(id)->outcome, Outcome::None);
        QCOMPARE(after.candidate(id)->stage, Stage::Rejected);
        QCOMPARE(after.island(islandB)->best, made);
        const AskedPrompts untouched = twins.ask(*twins.untouched), steered = twins.ask(twins.steered);
        QVERIFY(twins.beganAlike());
        // About that or, as replies are paid for, about the best program of the run.
        const CandidateId asked = steered.at(islandB).modelRequest.parents.front();
        QVERIFY2(asked == made || asked == after.incumbent, candidateName(asked).c_str());
        QCOMPARE(steered.at(islandB).text.find("static int put_in_by_hand = 1;") != std::string::npos, asked == made);
        QVERIFY(untouched.at(islandB).modelRequest.parents.front() != made);
        QVERIFY(untouched.at(islandB).text.find("put_in_by_hand") == std::string::npos);
    }

    void whatIsDeferredWaitsOnAndNothingElseChanges()
    {
        Twins twins(*m_begun);
        QVERIFY(twins.ready);
        const CandidateId id = likeliestOf(twins.steered);
        twins.steered.execute(commands::Decide{{id}, Decision::Deferred, "later"});
        compareNextFour(twins);
        const RunState after = twins.state(twins.steered);
        QCOMPARE(after.candidate(id)->stage, Stage::Review);
        QCOMPARE(after.review(after.candidate(id)->review)->decision, Decision::Deferred);
        QCOMPARE(after.waitingReviews, twins.state(*twins.untouched).waitingReviews);
        QCOMPARE(differing(twins.ask(*twins.untouched), twins.ask(twins.steered)), std::set<IslandId>{});
    }

    void aWordThatIsTakenBackLeavesNoTraceInPrompts()
    {
        for (const Decision word : {Decision::Rejected, Decision::Approved, Decision::Edited}) {
            Twins twins(*m_begun);
            QVERIFY(twins.ready);
            const CandidateId id = likeliestOf(twins.steered);
            const std::string text = twins.steered.text(twins.state(twins.steered).candidate(id)->source);
            if (word == Decision::Edited)
                twins.steered.execute(
                    commands::ApproveEdited{id, withLine(text, "static int put_in_by_hand = 1;"), "counted"});
            else
                twins.steered.execute(commands::Decide{{id}, word, "it reads past the end of a row"});
            QVERIFY(twins.state(twins.steered).candidate(id)->stage != Stage::Review);
            twins.steered.execute(commands::UndoReview{{id}});
            QVERIFY2(twins.steered.failures.isEmpty(), qPrintable(twins.steered.failures.join(u' ')));
            QCOMPARE(twins.state(twins.steered).candidate(id)->stage, Stage::Review);
            QCOMPARE(differing(twins.ask(*twins.untouched), twins.ask(twins.steered)), std::set<IslandId>{});
        }
    }

    void anApprovalThatIsTakenBackLetsNothingBeMeasured()
    {
        for (const bool edited : {false, true}) {
            Twins twins(*m_begun);
            QVERIFY(twins.ready);
            const CandidateId id = likeliestOf(twins.steered);
            const std::string text = twins.steered.text(twins.state(twins.steered).candidate(id)->source);
            if (edited)
                twins.steered.execute(
                    commands::ApproveEdited{id, withLine(text, "static int put_in_by_hand = 1;"), ""});
            else
                twins.steered.execute(commands::Decide{{id}, Decision::Approved, ""});
            twins.steered.execute(commands::UndoReview{{id}});
            QVERIFY(twins.steered.failures.isEmpty());
            const std::size_t evaluations = twins.state(*twins.untouched).evaluations.size();
            for (EngineDriver* twin : {&twins.steered, twins.untouched.get()})
                twins.settle(*twin);
            QCOMPARE(twins.state(twins.steered).evaluations.size(), evaluations);
            QCOMPARE(twins.state(twins.steered).candidate(id)->stage, Stage::Review);
            const Proposal steered = twins.stepOf(twins.steered, islandB),
                           twin = twins.stepOf(*twins.untouched, islandB);
            QCOMPARE(steered.parents, twin.parents);
            QCOMPARE(std::pair(steered.ordinal, steered.focus), std::pair(twin.ordinal, twin.focus));
        }
    }

    void anEditThatWasTakenBackMayBeMadeAgainAndIsMeasuredAsTheTwins()
    {
        Twins twins(*m_begun);
        QVERIFY(twins.ready);
        const CandidateId id = likeliestOf(twins.steered);
        const std::string source = twins.steered.text(twins.state(twins.steered).candidate(id)->source);
        const QString text = QString::fromStdString(withLine(source, "static int put_in_by_hand = 1;"));
        twins.steered.execute(commands::ApproveEdited{id, text.toStdString(), ""});
        twins.steered.execute(commands::UndoReview{{id}});
        for (EngineDriver* twin : {&twins.steered, twins.untouched.get()}) {
            twin->engine.execute(commands::ApproveEdited{id, text.toStdString(), ""});
            QVERIFY2(twin->failures.isEmpty(), qPrintable(twin->failures.join(u' ')));
            twins.settle(*twin);
        }
        const RunState steered = twins.state(twins.steered), untouched = twins.state(*twins.untouched);
        const Candidate &here = *steered.candidate(steered.island(islandB)->best),
                        &there = *untouched.candidate(untouched.island(islandB)->best);
        QCOMPARE(here.outcome, Outcome::Ranked);
        QCOMPARE(here.program, there.program);
        QCOMPARE(twins.stepOf(twins.steered, islandB).parents, std::vector<CandidateId>{here.id});
        QCOMPARE(twins.stepOf(*twins.untouched, islandB).parents, std::vector<CandidateId>{there.id});
        twins.steered.execute(commands::Inject{{}, islandB, text.toStdString(), {}}); // it is measured: once is enough
        QCOMPARE(twins.steered.failures, QStringList{u"duplicate"_s});
        QVERIFY(twins.steered.close());
        QVERIFY(rebuildsAlike(twins.steered.path()));
    }

    void anIslandWhosePolicyHoldsEverythingProposesAlikeButItsNextEditWaits()
    {
        Twins twins(*m_free);
        QVERIFY(twins.ready);
        twins.steered.execute(commands::SetReviewPolicies{{{islandB, ReviewPolicy::Every}}});
        const auto candidateOf = [&](EngineDriver& driver, const Proposal& proposal) {
            const RunState state = twins.state(driver);
            return *std::ranges::find(state.candidates, proposal.id, &Candidate::proposal);
        };
        const Proposal steered = twins.stepOf(twins.steered, islandB), twin = twins.stepOf(*twins.untouched, islandB);
        QVERIFY(steered == twin);
        QCOMPARE(candidateOf(*twins.untouched, twin).outcome, Outcome::Ranked);
        QCOMPARE(candidateOf(twins.steered, steered).stage, Stage::Review);
        QCOMPARE(candidateOf(twins.steered, steered).outcome, Outcome::None);
        const Proposal elsewhere = twins.stepOf(twins.steered, islandC);
        QCOMPARE(candidateOf(twins.steered, elsewhere).outcome, Outcome::Ranked);
        QCOMPARE(twins.state(twins.steered).waitingReviews, 1);
        QVERIFY(twins.beganAlike());
    }

    void aPolicyThatHoldsNothingLetsThroughWhatTheTwinsIslandHolds()
    {
        Twins twins(*m_begun);
        QVERIFY(twins.ready);
        const CandidateId id = likeliestOf(twins.steered);
        twins.steered.execute(commands::SetReviewPolicies{{{islandB, ReviewPolicy::Automatic}}});
        for (EngineDriver* twin : {&twins.steered, twins.untouched.get()})
            twins.settle(*twin);
        QCOMPARE(twins.state(twins.steered).waitingReviews, 0);
        QVERIFY(twins.state(*twins.untouched).waitingReviews > 0);
        const Proposal steered = twins.stepOf(twins.steered, islandB), twin = twins.stepOf(*twins.untouched, islandB);
        QCOMPARE(steered.parents, std::vector<CandidateId>{id});
        QVERIFY(twin.parents.front() != id);
        const RunState after = twins.state(twins.steered);
        QCOMPARE(after.candidates[after.candidates.size() - 1].outcome, Outcome::Ranked); // it waits for nobody either
        QVERIFY(twins.beganAlike());
    }
};

TILEWRIGHT_TEST(TestReviewTwins)
#include "test_review_twins.moc"
