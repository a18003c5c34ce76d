// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/model/editing.h"
#include "core/base/format.h"
#include "core/model/island_lever.h"

#include <algorithm>
#include <set>

namespace tilewright {
namespace {

/// All that something came of, or may still.
std::set<CandidateId> parentsIn(const RunState& state)
{
    std::set<CandidateId> parents;
    const auto add = [&parents](const std::vector<CandidateId>& ids) { parents.insert(ids.begin(), ids.end()); };
    for (const Candidate& candidate : state.candidates)
        if (!candidate.takenBack)
            add(candidate.parents);
    for (const Proposal& proposal : state.proposals)
        add(proposal.parents);
    for (const Inquiry& inquiry : state.inquiries)
        add(inquiry.parents);
    return parents;
}

} // namespace

void takeBack(RunState& state, const std::vector<CandidateId>& candidates)
{
    const std::set<CandidateId> parents = parentsIn(state);
    for (const CandidateId id : candidates)
        if (Candidate* candidate = edit(state, id); candidate && !parents.contains(id))
            candidate->takenBack = true;
}

std::vector<CandidateId> copiesOn(const RunState& state, IslandId island)
{
    std::vector<CandidateId> copies;
    for (const Candidate& candidate : state.candidates)
        if (candidate.migrated && candidate.island == island)
            copies.push_back(candidate.id);
    return copies;
}

namespace {

std::unexpected<Error> unknown(InquiryId id)
{
    return fail("event/unknown-id", "an event names the unknown inquiry " + std::to_string(id.value));
}

/// What nobody told counts as the worst case of its tries, less what was guessed of them and is counted already.
void noteDoubts(RunState& state, const Inquiry& inquiry)
{
    const InquiryAnswer& answer = inquiry.answer;
    const bool isPriced = inquiry.cost() && answer.untold == 0;
    state.unpriced += isPriced ? 0 : 1;
    state.doubtfulTokens += std::max<std::int64_t>(answer.untold * inquiry.mostTokens - answer.guessed.total(), 0);
    if (isPriced || answer.tries == 0)
        return;
    // A cost that is known without one try told is a guess; of a told use with no price the whole try is in doubt.
    const std::int64_t tries = answer.costMicroUsd ? answer.untold : std::max(answer.untold, 1);
    const std::int64_t guessed = answer.untold == answer.tries ? answer.costMicroUsd.value_or(0) : 0;
    state.doubtfulMicroUsd += std::max<std::int64_t>(tries * inquiry.mostMicroUsd - guessed, 0);
}

/// Of an answer that its island did not live to see.
std::string unusedWords(const Inquiry& inquiry)
{
    const std::string of = "a prompt for island " + islandLetter(inquiry.island);
    const std::string& model = inquiry.answer.model;
    return inquiry.state == InquiryState::Complete ? "the answer of " + (model.empty() ? inquiry.proposer : model)
            + " to " + of + " is not used: the island was taken back"
                                                   : of + " waits for no answer any more: the island was taken back";
}

/// Whether this failure is news: an outage fails all that is under way, and is told once. What was put before it was
/// known may still be answered without its being over.
bool isNews(RunState& state, const Inquiry& answered)
{
    const auto whose = std::pair(answered.proposer, answered.model);
    const InquiryAnswer& answer = answered.answer;
    if (answer.state == InquiryState::Complete) {
        const auto outage = state.outages.find(whose);
        if (outage != state.outages.end() && answered.askedNs > outage->second.lastNs)
            state.outages.erase(outage);
        return false;
    }
    if (answer.wasWithdrawn())
        return false;
    Outage& outage = state.outages[whose];
    outage.lastNs = answered.answeredNs;
    return outage.told.insert(answer.rule + " " + answer.detail).second;
}

} // namespace

Result<void> applyInquiry(RunState& state, const events::Asked& e)
{
    if (e.inquiry.id.value != static_cast<std::int64_t>(state.inquiries.size()) + 1)
        return unknown(e.inquiry.id);
    if (Island* island = edit(state, e.inquiry.island))
        island->proposals = std::max(island->proposals, e.inquiry.ordinal);
    state.inquiries.push_back(e.inquiry);
    const bool isFurtherTurn = e.inquiry.repairOf || e.inquiry.repeats;
    return isFurtherTurn ? Result<void>() : grantWish(state, e.inquiry.wish);
}

Result<std::optional<LogLine>> applyInquiry(RunState& state, const events::Answered& e)
{
    Inquiry* inquiry = edit(state, e.id);
    if (!inquiry)
        return unknown(e.id);
    const InquiryAnswer& answer = e.answer;
    inquiry->state = answer.state;
    inquiry->answer = answer;
    inquiry->answeredNs = e.runNs;
    state.runNs = std::max(state.runNs, e.runNs);
    state.tokensSpent += answer.tokens.total();
    state.tokensGuessed += answer.guessed.total();
    state.costMicroUsd += answer.costMicroUsd.value_or(0);
    state.lost += answer.rule == "llm/lost" ? 1 : 0;
    noteDoubts(state, *inquiry);
    // A first question that failed is not put again: what was wished with it is asked for anew. Not so a judge.
    const bool isLost = !inquiry->unwanted && !inquiry->asksForJudgement() && answer.state == InquiryState::Failed
        && inquiry->attempt == 1 && !answer.wasInterrupted() && answer.rule != "llm/refused";
    if (auto returned = isLost ? returnWish(state, inquiry->wish) : Result<void>(); !returned)
        return std::unexpected(returned.error());
    const bool isFailureToTell = isNews(state, *inquiry);
    if (inquiry->unwanted && (answer.state == InquiryState::Complete || answer.rule == ruleOfUnmade))
        return LogLine{0, "", "info", {}, unusedWords(*inquiry)};
    if (!isFailureToTell)
        return std::nullopt;
    return LogLine{0, "", "warning", {},
        "an answer of " + (answer.model.empty() ? inquiry->proposer : answer.model) + " did not come: " + answer.rule
            + " " + answer.detail};
}

Result<void> applyInquiry(RunState& state, const events::BodyArrived& e)
{
    Inquiry* inquiry = edit(state, e.id);
    if (!inquiry)
        return unknown(e.id);
    inquiry->bodies.push_back(e.body);
    return {};
}

Result<void> applyInquiry(RunState& state, const events::TriedAgain& e)
{
    Inquiry* inquiry = edit(state, e.id);
    if (!inquiry)
        return unknown(e.id);
    inquiry->tries = std::max(inquiry->tries, e.number);
    return {};
}

namespace {

/// The verdict, and on whom: "worse than c-0021".
std::string verdictWords(const Evaluation& evaluation)
{
    const Verdict verdict = evaluation.result.verdict;
    if (verdict == Verdict::None)
        return "measured";
    if (!evaluation.against || evaluation.against == evaluation.candidate)
        return nameOf(verdict);
    const char* words = verdict == Verdict::Better ? "better than "
        : verdict == Verdict::Worse                ? "worse than "
                                                   : "no difference seen from ";
    return words + candidateName(evaluation.against);
}

} // namespace

void takeFigures(RunState& state, Candidate& candidate, const events::Evaluated& e)
{
    const EvaluationResult& result = e.evaluation.result;
    candidate.latest = e.evaluation.id;
    if (candidate.finishedNs == 0)
        candidate.finishedNs = e.runNs;
    const bool first = candidate.outcome == Outcome::None;
    if (first)
        countResult(state, candidate);
    if (!first && candidate.outcome != result.outcome)
        --state.outcomes[nameOf(candidate.outcome)];
    if (first || candidate.outcome != result.outcome)
        ++state.outcomes[nameOf(result.outcome)];
    candidate.outcome = result.outcome;
    candidate.rule = result.rule;
    candidate.text = result.text;
    candidate.verdict = result.verdict;
    candidate.versusIncumbent = result.versusIncumbent;
    candidate.score = result.score;
    if (result.purpose == Purpose::Confirm || result.purpose == Purpose::Audit) {
        candidate.confirmed = result.outcome == Outcome::Ranked;
        candidate.audited = candidate.confirmed
            && (result.purpose == Purpose::Audit
                || (result.environment.is_object() && result.environment.value("audited", false)));
        candidate.vsVendor = result.vsVendor;
        candidate.heldoutScore = result.heldoutScore;
        candidate.heldoutVsVendor = result.heldoutVsVendor;
    }
}

LogLine lineOf(const Evaluation& evaluation)
{
    const EvaluationResult& result = evaluation.result;
    const std::string name = candidateName(evaluation.candidate);
    if (result.outcome != Outcome::Ranked)
        return {0, "", "warning", evaluation.candidate,
            name + " " + nameOf(result.outcome) + ": " + result.rule
                + (result.text.empty() ? "" : " — " + result.text)};
    const std::string figures = result.score ? ", " + fixedText(result.score->value, 2) + "× baseline" : "";
    return {0, "", result.verdict == Verdict::Better ? "good" : "info", evaluation.candidate,
        name + " " + nameOf(result.purpose) + ": " + verdictWords(evaluation) + figures};
}

} // namespace tilewright
