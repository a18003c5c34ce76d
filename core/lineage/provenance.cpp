// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lineage/provenance.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/model/measurement/pair_ladder.h"
#include "core/model/requests/conversation.h"
#include "core/prompt/template_use.h"

#include <algorithm>

namespace tilewright {
namespace {

constexpr std::size_t longestTitle = 72; ///< bytes; what `git log --oneline` shows on a usual terminal

/// The candidate itself, or the one that a migrated copy is a copy of.
const Candidate& originalOf(const RunState& state, const Candidate& candidate)
{
    const Candidate* origin = state.candidate(originOf(state, candidate.id));
    return origin ? *origin : candidate;
}

/// Of all requests that led to the proposal; none where one of them is unknown.
std::optional<std::int64_t> costOf(const RunState& state, ProposalId proposal)
{
    std::int64_t sum = 0;
    for (const ModelRequestId each : callsOf(state, proposal)) {
        const std::optional<std::int64_t> cost = state.modelRequest(each)->cost();
        if (!cost)
            return std::nullopt;
        sum += *cost;
    }
    return sum;
}

/// How many edits the reply held, as the newest part of it that is in the record says. Proposals of one reply stand
/// beside each other.
int proposalsOf(const RunState& state, const Proposal& proposal)
{
    int count = 0;
    const auto isBeside = [&](std::int64_t id) {
        const Proposal* other = state.proposal({id});
        return other && other->modelRequest == proposal.modelRequest;
    };
    std::int64_t first = proposal.id.value;
    while (isBeside(first - 1))
        --first;
    for (std::int64_t id = first; isBeside(id); ++id)
        ++count;
    return count;
}

std::string firstSentence(const std::string& text)
{
    const std::string line = oneLine(text, 4 * longestTitle);
    return line.substr(0, line.find(". "));
}

} // namespace

Provenance provenanceOf(const RunState& state, const Candidate& shown)
{
    const Candidate& candidate = originalOf(state, shown);
    Provenance provenance;
    provenance.candidate = candidate.id;
    provenance.gain = versusParent(state, candidate);
    const Proposal* proposal = state.proposal(candidate.proposal);
    if (!proposal)
        return provenance;
    provenance.proposer = proposal->proposer;
    provenance.author = authorOf(state, *proposal);
    const ModelRequest* modelRequest = state.modelRequest(proposal->modelRequest);
    if (!modelRequest)
        return provenance;
    const VersionsOfPrompt versions = versionsOfPrompt(state, *modelRequest);
    provenance.prompt = modelRequest->promptName;
    if (!versions.isForOnce)
        provenance.promptVersion = versions.text;
    provenance.promptText = modelRequest->promptVersion;
    provenance.modelRequest = modelRequest->id;
    provenance.costMicroUsd = costOf(state, proposal->id);
    provenance.sharedBy = proposalsOf(state, *proposal);
    return provenance;
}

std::string promptText(const Provenance& provenance)
{
    if (provenance.prompt.empty())
        return {};
    const std::string name = oneLine(provenance.prompt, longestTitle);
    if (!provenance.promptVersion)
        return name + ", own text";
    return name + (*provenance.promptVersion > 0 ? " v" + std::to_string(*provenance.promptVersion) : " shipped");
}

std::string costText(const Provenance& provenance)
{
    if (!provenance.modelRequest)
        return {};
    if (!provenance.costMicroUsd)
        return "unknown";
    constexpr int digits = 4;
    return fixedText(static_cast<double>(*provenance.costMicroUsd) * 1e-6, digits) + " $";
}

std::string gainText(const std::optional<ParentChange>& gain)
{
    if (!gain)
        return {};
    return gain->isWithinNoise() ? "within noise" : changeText(gain->ratio.value);
}

std::string titleOf(const RunState& state, const Candidate& candidate)
{
    const Proposal* proposal = state.proposal(candidate.proposal);
    if (proposal && !proposal->title.empty())
        return oneLine(proposal->title, longestTitle);
    if (candidate.parents.empty())
        return "the starting program";
    std::vector<std::string> parts;
    if (proposal)
        for (const std::string& move : proposal->moves)
            parts.push_back(move.starts_with('-') ? "without " + move.substr(1) : move);
    if (const Candidate* parent = state.candidate(candidate.parents.front()))
        for (const auto& [name, value] : candidate.tunables)
            if (const auto before = parent->tunables.find(name);
                before != parent->tunables.end() && before->second != value)
                parts.push_back(name + " " + std::to_string(before->second) + " → " + std::to_string(value));
    if (parts.empty() && proposal) {
        const std::string idea = firstSentence(proposal->idea());
        parts.push_back(!idea.empty() ? idea : authorOf(state, *proposal));
    }
    return oneLine(joined(parts, ", "), longestTitle);
}

} // namespace tilewright
