// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/proposals/review_gate.h"

#include "core/base/text.h"
#include "core/model/islands/living_islands.h"
#include "core/model/reviews/review_policies.h"
#include "core/model/reviews/review_queue.h"
#include "core/source/change_risks.h"

#include <algorithm>

namespace tilewright {
namespace {

constexpr const char* person = "person";

std::string noSuch(CandidateId candidate) { return "there is no candidate " + candidateName(candidate); }

/// While a word of the user's is recorded. Islands that waited for it and wait no longer then take their turns with
/// the others.
class SpokenWord
{
public:
    explicit SpokenWord(Ledger& ledger)
        : m_ledger(ledger)
        , m_waited(waiting())
    {
    }
    ~SpokenWord()
    {
        const std::set<IslandId> wait = waiting();
        for (const IslandId island : m_waited)
            if (!wait.contains(island))
                m_ledger.record(events::TurnsWaived{island});
    }
    SpokenWord(const SpokenWord&) = delete;
    SpokenWord& operator=(const SpokenWord&) = delete;

private:
    std::set<IslandId> waiting() const
    {
        std::set<IslandId> all;
        for (const Island& island : m_ledger.state().islands)
            if (waitsForPerson(m_ledger.state(), island.id))
                all.insert(island.id);
        return all;
    }

    Ledger& m_ledger;
    std::set<IslandId> m_waited;
};

} // namespace

std::set<std::string> ReviewGate::newFeatures(const Candidate& candidate)
{
    std::set<std::string> fresh = hardwareFeatures(m_ledger.text(candidate.source));
    for (const auto& [known, first] : m_ledger.state().features)
        fresh.erase(known);
    return fresh;
}

void ReviewGate::noteFeatures(CandidateId id)
{
    for (const std::string& feature : newFeatures(*m_ledger.state().candidate(id)))
        m_ledger.record(events::FeatureUsed{id, feature});
}

std::vector<std::string> ReviewGate::risksOf(const Candidate& candidate, const std::vector<std::string>& warnings)
{
    const RunState& state = m_ledger.state();
    const Candidate* parent = candidate.parents.empty() ? nullptr : state.candidate(candidate.parents.front());
    std::vector<std::string> risks;
    if (const Proposal* proposal = state.proposal(candidate.proposal); proposal && proposal->attempt > 1)
        risks.push_back(proposal->attempt == 2 ? "needed a repair" : "needed a rewrite");
    if (!candidate.repairs.empty())
        risks.push_back("the reply was repaired: " + joined(candidate.repairs, ", "));
    if (parent)
        for (std::string& risk : changeRisks(m_ledger.text(parent->source), m_ledger.text(candidate.source)))
            risks.push_back(std::move(risk));
    for (const std::string& warning : warnings)
        risks.push_back("warning: " + warning);
    for (const std::string& feature : newFeatures(candidate))
        risks.push_back("first use of " + feature + " in this run");
    for (std::string& risk : risks)
        risk = printable(risk);
    return risks;
}

bool ReviewGate::lets(CandidateId id, const BuildReply& build, const std::vector<std::string>& passed)
{
    const RunState& state = m_ledger.state();
    const Candidate& candidate = *state.candidate(id);
    const ReviewPolicy policy = reviewPolicyOf(state, candidate);
    if (policy != ReviewPolicy::Automatic && !needsNoWord(state, candidate)) {
        std::vector<std::string> risks = risksOf(candidate, build.warnings);
        if (isAskedAbout(policy, risks)) {
            const ReviewId next{static_cast<std::int64_t>(state.reviews.size()) + 1};
            nlohmann::json facts{{"resources", build.resources}, {"warnings", build.warnings}, {"passed", passed},
                {"log", build.log.isNull() ? "" : build.log.hex()},
                {"artifact", build.artifact.isNull() ? "" : build.artifact.hex()}};
            if (build.cached)
                facts["cached"] = true;
            m_ledger.record(events::ReviewAsked{next, id, std::move(risks), std::move(facts)});
            return false;
        }
    }
    noteFeatures(id);
    return true;
}

Result<const Review*> ReviewGate::waiting(CandidateId id) const
{
    const Candidate* candidate = m_ledger.state().candidate(id);
    if (!candidate)
        return fail("review/unknown", noSuch(id));
    const Review* review = m_ledger.state().review(candidate->review);
    if (!review || candidate->stage != Stage::Review || !review->isWaiting() || review->undone)
        return fail(
            "review/not-waiting", candidateName(id) + " is not pending review: it is " + nameOf(candidate->stage));
    return review;
}

Result<void> ReviewGate::waits(CandidateId id) const
{
    const auto review = waiting(id);
    return review ? Result<void>() : std::unexpected(review.error());
}

Result<void> ReviewGate::decide(const std::vector<CandidateId>& candidates, Decision decision,
    const std::string& reason, std::vector<CandidateId>& decided)
{
    if (decision == Decision::Rejected && trimmed(reason).empty())
        return fail("review/reason", "a rejection needs a reason, which is added to prompts",
            "state in a few words what is wrong");
    const SpokenWord word(m_ledger);
    Result<void> done;
    for (const CandidateId id : candidates) {
        if (const auto review = waiting(id); review) {
            m_ledger.record(events::Reviewed{(*review)->id, decision, person, printable(reason), {}, !decided.empty()});
            decided.push_back(id);
        } else if (done) {
            done = std::unexpected(review.error());
        }
    }
    return done;
}

Result<void> ReviewGate::replace(CandidateId id, CandidateId edited, const std::string& reason)
{
    const auto review = waiting(id);
    if (!review)
        return std::unexpected(review.error());
    const SpokenWord word(m_ledger);
    m_ledger.record(events::Reviewed{(*review)->id, Decision::Edited, person, printable(reason), edited});
    return {};
}

Result<void> ReviewGate::undo(CandidateId id)
{
    const RunState& state = m_ledger.state();
    const Candidate* candidate = state.candidate(id);
    if (!candidate)
        return fail("review/unknown", noSuch(id));
    const Review* review = state.review(candidate->review);
    if (!review || review->candidate != id || review->undone || review->decision == Decision::Waiting)
        return fail("review/not-decided", "there is no decision on " + candidateName(id) + " to undo");
    if (const Candidate* measured = measuredAfter(state, *review))
        return fail("review/too-late", candidateName(measured->id) + " is " + nameOf(measured->stage) + " already",
            "a decision can be undone until the measurement starts");
    const std::vector<std::string> risks = review->risks;
    const nlohmann::json facts = review->facts;
    const bool waitsAllTheWhile = review->isWaiting();
    m_ledger.record(events::ReviewUndone{review->id});
    if (waitsAllTheWhile)
        return {};
    m_ledger.record(events::ReviewAsked{{static_cast<std::int64_t>(state.reviews.size()) + 1}, id, risks, facts});
    return {};
}

Result<void> ReviewGate::setPolicies(
    const std::vector<events::ReviewPolicyChanged>& changes, WhatWaits waiting, bool undo)
{
    const RunState& state = m_ledger.state();
    for (const events::ReviewPolicyChanged& change : changes)
        if (auto living = livingIsland(state, change.island); !living && waitingOn(state, change.island) == 0)
            return living;
    const SpokenWord word(m_ledger);
    for (std::size_t i = 0; i < changes.size(); ++i)
        m_ledger.record(
            events::ReviewPolicyChanged{changes[i].island, changes[i].policy, changes[i].proposer, i > 0, undo});
    for (std::size_t i = 0; waiting == WhatWaits::Approved && i < state.reviews.size(); ++i) {
        const Review review = state.reviews[i];
        if (!review.isWaiting() || review.undone)
            continue;
        if (!isAskedAbout(reviewPolicyOf(state, *state.candidate(review.candidate)), review.risks))
            m_ledger.record(events::Reviewed{review.id, Decision::Approved, byPolicy, "", {}});
    }
    return {};
}

Result<void> ReviewGate::setLimit(int perIsland, bool undo)
{
    if (perIsland < 0 || perIsland > maxReviewLimit)
        return fail("review/limit", "invalid review limit per island: " + std::to_string(perIsland),
            "use 1 to " + std::to_string(maxReviewLimit) + ", or 0 for no limit");
    if (perIsland == m_ledger.state().settings.reviewLimit)
        return {};
    const SpokenWord word(m_ledger);
    m_ledger.record(events::ReviewLimitChanged{perIsland, undo});
    return {};
}

void ReviewGate::whileItMayLetGo(const std::function<void()>& recording)
{
    const SpokenWord word(m_ledger);
    recording();
}

} // namespace tilewright
