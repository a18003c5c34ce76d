// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/requests/reply_outcome.h"

#include "core/model/measurement/evaluation.h"
#include "core/model/requests/conversation.h"

#include <algorithm>
#include <map>

namespace tilewright {
namespace {

/// Candidates by the proposals of these requests that became them, and requests by the proposals that they repair.
struct Followed {
    std::map<std::int64_t, CandidateId> candidates;
    std::map<std::int64_t, ModelRequestId> repairs;
};

Followed follow(const RunState& state, const std::map<std::int64_t, std::vector<const Proposal*>>& proposals)
{
    std::map<std::int64_t, bool> wanted;
    for (const auto& [modelRequest, all] : proposals)
        for (const Proposal* proposal : all)
            wanted[proposal->id.value] = true;
    Followed found;
    for (const Candidate& candidate : state.candidates)
        if (!candidate.migrated && wanted.contains(candidate.proposal.value))
            found.candidates.try_emplace(candidate.proposal.value, candidate.id);
    for (const ModelRequest& modelRequest : state.modelRequests)
        if (wanted.contains(modelRequest.repairOf.value))
            found.repairs[modelRequest.repairOf.value] = modelRequest.id;
    return found;
}

EditOutcome outcomeOf(const RunState& state, const Proposal& proposal, const Followed& found)
{
    EditOutcome edit;
    edit.proposal = proposal.id;
    edit.part = proposal.part;
    switch (proposal.state) {
    case ProposalState::Open:
        edit.isOver = false;
        break;
    case ProposalState::Duplicate:
        edit.candidate = candidateFromName(proposal.detail);
        edit.isDuplicate = true;
        break;
    case ProposalState::Refused:
        edit.rule = proposal.rule;
        edit.detail = proposal.detail;
        if (const auto again = found.repairs.find(proposal.id.value); again != found.repairs.end())
            edit.askedAgain = again->second;
        break;
    case ProposalState::Withdrawn:
        edit.isWithdrawn = true;
        break;
    case ProposalState::Accepted:
        if (const auto made = found.candidates.find(proposal.id.value); made != found.candidates.end())
            edit.candidate = made->second;
        break;
    }
    if (const Candidate* candidate = state.candidate(edit.candidate); candidate && !edit.isDuplicate)
        edit.isOver = candidate->isOver();
    return edit;
}

std::string figuresOf(const Candidate& candidate)
{
    std::string words;
    if (candidate.score)
        words += ", " + timesText(*candidate.score) + " baseline";
    if (candidate.vsVendor)
        words += ", " + timesText(*candidate.vsVendor) + " vendor library";
    return words + (candidate.confirmed ? ", confirmed" : ", provisional");
}

} // namespace

bool ReplyOutcome::isOver() const { return std::ranges::all_of(edits, &EditOutcome::isOver); }

std::vector<ReplyOutcome> replyOutcomes(const RunState& state, std::string_view proposer, std::size_t most)
{
    std::map<std::int64_t, std::vector<const Proposal*>> proposals; // by request
    for (std::size_t i = state.modelRequests.size(); i > 0 && proposals.size() < most; --i) {
        const ModelRequest& modelRequest = state.modelRequests[i - 1];
        const bool isAnswered = modelRequest.state != ModelRequestState::Open && !modelRequest.answer.wasWithdrawn()
            && !modelRequest.asksForSummary() && !modelRequest.asksForJudgement();
        if (isAnswered && (proposer.empty() || modelRequest.proposer == proposer))
            proposals[modelRequest.id.value];
    }
    for (const Proposal& proposal : state.proposals)
        if (const auto of = proposals.find(proposal.modelRequest.value); of != proposals.end())
            of->second.push_back(&proposal);
    const Followed found = follow(state, proposals);
    std::vector<ReplyOutcome> outcomes;
    for (auto each = proposals.rbegin(); each != proposals.rend(); ++each) {
        const ModelRequest& modelRequest = *state.modelRequest({each->first});
        ReplyOutcome outcome{modelRequest.id, {}, modelRequest.answer.rule, modelRequest.answer.detail};
        for (const Proposal* proposal : each->second)
            outcome.edits.push_back(outcomeOf(state, *proposal, found));
        outcomes.push_back(std::move(outcome));
    }
    return outcomes;
}

std::string describe(const EditOutcome& edit)
{
    if (edit.isDuplicate)
        return "duplicate of " + candidateName(edit.candidate);
    if (edit.candidate)
        return "became " + candidateName(edit.candidate);
    if (!edit.isOver)
        return "being applied";
    if (edit.isWithdrawn)
        return "withdrawn";
    return "refused, " + edit.rule + (edit.detail.empty() ? "" : ": " + edit.detail);
}

std::string standingOf(const RunState& state, CandidateId id)
{
    const Candidate* candidate = state.candidate(id);
    if (!candidate)
        return {};
    if (candidate->stage == Stage::Rejected)
        return "rejected" + (candidate->text.empty() ? "" : ": " + candidate->text);
    if (candidate->stage == Stage::Review)
        return "pending review";
    if (candidate->outcome == Outcome::None)
        return nameOf(candidate->stage);
    if (!candidate->isRanked())
        return nameOf(candidate->outcome) + (candidate->rule.empty() ? "" : ", " + candidate->rule)
            + (candidate->text.empty() ? "" : ": " + candidate->text);
    const std::string verdict = candidate->verdict == Verdict::None ? "measured" : nameOf(candidate->verdict);
    return verdict + figuresOf(*candidate) + (candidate->isOver() ? "" : ", " + nameOf(candidate->stage));
}

std::string describe(const RunState& state, const ReplyOutcome& outcome)
{
    if (outcome.edits.empty())
        return outcome.rule.empty()
            ? "no edit was read yet\n"
            : "not used, " + outcome.rule + (outcome.detail.empty() ? "" : ": " + outcome.detail) + "\n";
    std::string text;
    for (const EditOutcome& edit : outcome.edits) {
        const ModelRequest* again = state.modelRequest(edit.askedAgain);
        const std::string standing = edit.isDuplicate ? std::string() : standingOf(state, edit.candidate);
        text += (edit.part ? "edit " + std::to_string(edit.part) + ": " : "") + describe(edit)
            + (standing.empty() ? "" : ": " + standing)
            + (again && !again->place.empty() ? "; asked again in " + again->place + ".prompt.md" : "") + "\n";
    }
    return text;
}

namespace {

std::map<std::string, PatchTally> talliesBy(
    const RunState& state, std::string (*nameOf)(const RunState& state, const Proposal& proposal))
{
    std::map<std::string, PatchTally> tallies;
    for (const Proposal& proposal : state.proposals) {
        const bool applied = proposal.state == ProposalState::Accepted || proposal.state == ProposalState::Duplicate;
        if (proposal.reply.isNull() || (!applied && !proposal.rule.starts_with("patch/")))
            continue;
        PatchTally& tally = tallies[nameOf(state, proposal)];
        ++(!applied ? tally.refused : proposal.repairs.empty() ? tally.clean : tally.mended);
    }
    return tallies;
}

std::string proposerAndModel(const RunState& state, const Proposal& proposal)
{
    const ModelRequest* modelRequest = state.modelRequest(proposal.modelRequest);
    const bool named = modelRequest && !modelRequest->answer.model.empty();
    return named ? proposal.proposer + "/" + modelRequest->answer.model : proposal.proposer;
}

} // namespace

std::optional<double> PatchTally::cleanRate() const
{
    return tried() > 0 ? std::optional(static_cast<double>(clean) / static_cast<double>(tried())) : std::nullopt;
}

std::map<std::string, PatchTally> patchTallies(const RunState& state) { return talliesBy(state, proposerAndModel); }

std::map<std::string, PatchTally> patchTalliesByAuthor(const RunState& state) { return talliesBy(state, authorOf); }

} // namespace tilewright
