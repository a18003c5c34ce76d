// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/model/reviews/editing.h"
#include "core/base/format.h"
#include "core/model/islands/island_change.h"

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
    for (const ModelRequest& modelRequest : state.modelRequests)
        add(modelRequest.parents);
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

std::unexpected<Error> unknown(ModelRequestId id)
{
    return fail("event/unknown-id", "an event names the unknown model request " + std::to_string(id.value));
}

/// What nobody told counts as the worst case of its tries, less what was guessed of them and is counted already.
void noteDoubts(RunState& state, const ModelRequest& modelRequest)
{
    const ModelRequestAnswer& answer = modelRequest.answer;
    const bool isPriced = modelRequest.cost() && answer.untold == 0;
    state.unpriced += isPriced ? 0 : 1;
    state.doubtfulTokens += std::max<std::int64_t>(answer.untold * modelRequest.mostTokens - answer.guessed.total(), 0);
    if (isPriced || answer.tries == 0)
        return;
    // A cost that is known without one try told is a guess; of a told use with no price the whole try is in doubt.
    const std::int64_t tries = answer.costMicroUsd ? answer.untold : std::max(answer.untold, 1);
    const std::int64_t guessed = answer.untold == answer.tries ? answer.costMicroUsd.value_or(0) : 0;
    state.doubtfulMicroUsd += std::max<std::int64_t>(tries * modelRequest.mostMicroUsd - guessed, 0);
}

/// Of an answer that its island did not live to see.
std::string unusedWords(const ModelRequest& modelRequest)
{
    const std::string of = "a prompt for island " + islandLetter(modelRequest.island);
    const std::string& model = modelRequest.answer.model;
    return modelRequest.state == ModelRequestState::Complete
        ? "the reply of " + (model.empty() ? modelRequest.proposer : model) + " to " + of
            + " is not used: the island was undone"
        : of + " no longer waits for a reply: the island was undone";
}

/// Whether this failure is news: an outage fails all that is under way, and is told once. What was put before it was
/// known may still be answered without its being over.
bool isNews(RunState& state, const ModelRequest& answered)
{
    const auto whose = std::pair(answered.proposer, answered.model);
    const ModelRequestAnswer& answer = answered.answer;
    if (answer.state == ModelRequestState::Complete) {
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

Result<void> applyModelRequest(RunState& state, const events::Asked& e)
{
    if (e.modelRequest.id.value != static_cast<std::int64_t>(state.modelRequests.size()) + 1)
        return unknown(e.modelRequest.id);
    if (Island* island = edit(state, e.modelRequest.island))
        island->proposals = std::max(island->proposals, e.modelRequest.ordinal);
    state.modelRequests.push_back(e.modelRequest);
    const bool isFurtherTurn = e.modelRequest.repairOf || e.modelRequest.repeats;
    return isFurtherTurn ? Result<void>() : grantSteeringRequest(state, e.modelRequest.steering);
}

Result<std::optional<LogLine>> applyModelRequest(RunState& state, const events::Answered& e)
{
    ModelRequest* modelRequest = edit(state, e.id);
    if (!modelRequest)
        return unknown(e.id);
    const ModelRequestAnswer& answer = e.answer;
    modelRequest->state = answer.state;
    modelRequest->answer = answer;
    modelRequest->answeredNs = e.runNs;
    state.runNs = std::max(state.runNs, e.runNs);
    state.tokensSpent += answer.tokens.total();
    state.tokensGuessed += answer.guessed.total();
    state.costMicroUsd += answer.costMicroUsd.value_or(0);
    state.lost += answer.rule == "llm/lost" ? 1 : 0;
    noteDoubts(state, *modelRequest);
    // A first question that failed is not put again: what was requested with it is asked for anew. Not so a judge.
    const bool isLost = !modelRequest->unwanted && !modelRequest->asksForJudgement()
        && answer.state == ModelRequestState::Failed && modelRequest->attempt == 1 && !answer.wasInterrupted()
        && answer.rule != "llm/refused";
    if (auto returned = isLost ? returnSteeringRequest(state, modelRequest->steering) : Result<void>(); !returned)
        return std::unexpected(returned.error());
    const bool isFailureToTell = isNews(state, *modelRequest);
    if (modelRequest->unwanted && (answer.state == ModelRequestState::Complete || answer.rule == ruleOfUnmade))
        return LogLine{0, "", "info", {}, unusedWords(*modelRequest)};
    if (!isFailureToTell)
        return std::nullopt;
    return LogLine{0, "", "warning", {},
        "no reply of " + (answer.model.empty() ? modelRequest->proposer : answer.model) + " came: " + answer.rule + " "
            + answer.detail};
}

Result<void> applyModelRequest(RunState& state, const events::BodyArrived& e)
{
    ModelRequest* modelRequest = edit(state, e.id);
    if (!modelRequest)
        return unknown(e.id);
    modelRequest->bodies.push_back(e.body);
    return {};
}

Result<void> applyModelRequest(RunState& state, const events::TriedAgain& e)
{
    ModelRequest* modelRequest = edit(state, e.id);
    if (!modelRequest)
        return unknown(e.id);
    modelRequest->tries = std::max(modelRequest->tries, e.number);
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
                                                   : "not distinguishable from ";
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
