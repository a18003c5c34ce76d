// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/reviews/review.h"

#include "core/base/text.h"
#include "core/model/event_names.h"
#include "core/model/reviews/editing.h"
#include "core/model/reviews/handwritten.h"
#include "core/model/reviews/review_policies.h"
#include "core/model/reviews/review_queue.h"

#include <algorithm>
#include <iterator>

namespace tilewright {
namespace {

LogLine line(std::string severity, CandidateId candidate, std::string text)
{
    return {0, "", std::move(severity), candidate, std::move(text)};
}

std::unexpected<Error> misplaced(const std::string& what) { return fail("event/order", what); }

/// Under which outcome it counts whom a user ended: what goes on as another text is no rejection.
const char* countedAs(const Candidate& candidate) { return candidate.rule == ruleOfEdited ? "edited" : "rejected"; }

/// A user ended it. It was built: it counts as an evaluation.
void reject(RunState& state, Candidate& candidate, std::string rule, std::string text)
{
    candidate.stage = Stage::Rejected;
    candidate.rule = std::move(rule);
    candidate.text = std::move(text);
    ++state.outcomes[countedAs(candidate)];
    countResult(state, candidate);
}

void takeBackRejection(RunState& state, Candidate& candidate)
{
    --state.outcomes[countedAs(candidate)];
    candidate.rule.clear();
    candidate.text.clear();
    state.evaluationsDone -= std::exchange(candidate.resultNumber, 0) > 0 ? 1 : 0;
}

/// What the log says of a decision.
LogLine decisionLine(const Review& review)
{
    const std::string name = candidateName(review.candidate);
    const std::string why = review.reason.empty() ? "" : ": " + review.reason;
    switch (review.decision) {
    case Decision::Approved:
        return line("info", review.candidate, name + " was approved by the " + review.by + why);
    case Decision::Edited:
        return line(
            "info", review.candidate, name + " was approved with edits, as " + candidateName(review.edited) + why);
    case Decision::Rejected:
        return line("warning", review.candidate, name + " was rejected by the " + review.by + why);
    default:
        return line("info", review.candidate, name + " was deferred" + why);
    }
}

} // namespace

std::string nameOf(ReviewPolicy policy) { return nameIn(reviewPolicyNames, policy); }
std::string nameOf(Decision decision) { return nameIn(decisionNames, decision); }
std::optional<ReviewPolicy> reviewPolicyFromName(std::string_view name) { return valueIn(reviewPolicyNames, name); }

const Candidate* measuredAfter(const RunState& state, const Review& review)
{
    const bool goesOnItself = review.decision == Decision::Approved;
    const Candidate* goesOn = state.candidate(goesOnItself ? review.candidate : review.edited);
    const bool waitsStill = goesOn
        && (goesOn->stage == Stage::Queued || goesOn->stage == Stage::Building || goesOn->stage == Stage::Checking);
    return waitsStill ? nullptr : goesOn;
}

std::string reasonUndone(const RunState& state, CandidateId candidate)
{
    const Candidate* of = state.candidate(candidate);
    const Review* now = of ? state.review(of->review) : nullptr;
    if (!now || !now->isWaiting() || now->undone)
        return "";
    for (std::size_t i = state.reviews.size(); i > 0; --i)
        if (const Review& review = state.reviews[i - 1]; review.candidate == candidate && review.undone)
            return review.by == "person" ? review.reason : "";
    return "";
}

Result<LogLine> applyReview(RunState& state, const events::ReviewPolicyChanged& e)
{
    if (e.island.value < 0 || e.island.value > state.islandCount())
        return fail("event/unknown-id", "an event names the unknown island " + std::to_string(e.island.value));
    setPolicy(state.settings.review, e.scope(), e.policy);
    return line("info", {}, "review policy of " + describe(e.scope()) + ": " + nameOf(e.policy));
}

Result<LogLine> applyReview(RunState& state, const events::ReviewLimitChanged& e)
{
    state.settings.reviewLimit = e.perIsland;
    return line("info", {},
        e.perIsland > 0 ? "at most " + counted(e.perIsland, "edit", "edits") + " of an island may wait for a review"
                        : "no review limit");
}

Result<LogLine> applyReview(RunState& state, const events::ReviewAsked& e, const std::string& atUtc)
{
    Candidate* candidate = edit(state, e.candidate);
    if (!candidate || e.id.value != static_cast<std::int64_t>(state.reviews.size()) + 1)
        return fail("event/unknown-id", "a review names an unknown candidate, or has the wrong number");
    if (const Review* now = state.review(candidate->review); now && now->isWaiting() && !now->undone)
        return misplaced("a review is requested for a candidate that is already pending review");
    // Where the word on it was taken back, it waits since it was asked about first.
    const Review* before = state.review(candidate->review);
    const std::string since = before && before->undone && before->candidate == e.candidate ? before->askedAtUtc : atUtc;
    state.reviews.push_back(
        {e.id, e.candidate, e.risks, e.facts, Decision::Waiting, "", "", {}, false, since, 0, false});
    candidate->stage = Stage::Review;
    candidate->review = e.id;
    ++state.waitingReviews;
    return line("info", e.candidate,
        candidateName(e.candidate) + " is pending review" + (e.risks.empty() ? "" : ": " + joined(e.risks, "; ")));
}

Result<LogLine> applyReview(RunState& state, const events::Reviewed& e)
{
    Review* review = edit(state, e.id);
    if (!review || !review->isWaiting() || review->undone || e.decision == Decision::Waiting)
        return misplaced("a decision is made on a candidate that is not pending review");
    Candidate* made = e.decision == Decision::Edited ? edit(state, e.edited) : nullptr;
    if (e.decision == Decision::Edited && !made)
        return fail("event/unknown-id", "a review names the unknown candidate " + std::to_string(e.edited.value));
    Candidate& candidate = *edit(state, review->candidate);
    review->decision = e.decision;
    review->by = e.by;
    review->reason = e.reason;
    review->edited = e.edited;
    review->decidedSeq = seqOfEvent(state);
    review->continued = e.continued;
    state.waitingReviews -= review->isWaiting() ? 0 : 1;
    switch (e.decision) {
    case Decision::Approved:
        candidate.stage = Stage::Queued;
        break;
    case Decision::Edited:
        made->review = e.id;
        reject(state, candidate, std::string(ruleOfEdited), "a user replaced it with " + candidateName(e.edited));
        break;
    case Decision::Rejected:
        reject(state, candidate, "review/rejected", e.reason);
        break;
    default:
        break;
    }
    return decisionLine(*review);
}

Result<LogLine> applyReview(RunState& state, const events::ReviewUndone& e)
{
    Review* review = edit(state, e.id);
    if (!review || review->decision == Decision::Waiting || review->undone)
        return misplaced("a decision is undone that was not made");
    Candidate& candidate = *edit(state, review->candidate);
    if (candidate.review != e.id)
        return misplaced("a decision is undone that is not the candidate's latest");
    LogLine said = line("info", candidate.id,
        "the decision on " + candidateName(candidate.id) + " (" + nameOf(review->decision) + ") was undone");
    if (review->decision == Decision::Deferred) { // it waits all the while: the question is the same one
        review->decision = Decision::Waiting;
        review->by = review->reason = "";
        review->decidedSeq = 0;
        return said;
    }
    if (candidate.stage == Stage::Rejected)
        takeBackRejection(state, candidate);
    if (state.candidate(review->edited))
        withdraw(state, review->edited, "review/undone", "the edit was undone");
    review->undone = true;
    candidate.stage = Stage::Review;
    return said;
}

Result<LogLine> applyReview(RunState& state, const events::FeatureUsed& e)
{
    if (!state.candidate(e.candidate))
        return fail("event/unknown-id", "an event names the unknown candidate " + std::to_string(e.candidate.value));
    state.features.try_emplace(e.feature, e.candidate);
    return line("info", e.candidate, candidateName(e.candidate) + " is the first to use " + e.feature);
}

std::vector<CandidateId> letThroughBy(const RunState& run, const PolicyScope& scope, ReviewPolicy policy)
{
    std::vector<CandidateId> all;
    for (const Review& review : run.reviews)
        if (review.isWaiting() && !review.undone && !isAskedAbout(policy, review.risks))
            if (const Candidate* candidate = run.candidate(review.candidate);
                candidate && scope.includes(candidate->island, reviewKindOf(run, *candidate)))
                all.push_back(candidate->id);
    return all;
}

std::vector<CandidateId> letThroughByPolicies(const RunState& run, IslandId island, const ReviewPolicies& policies)
{
    std::vector<CandidateId> all;
    for (const ProposerKind kind : proposerKinds)
        std::ranges::copy(letThroughBy(run, PolicyScope{island, kind}, policies.of(kind)), std::back_inserter(all));
    return all;
}

} // namespace tilewright
