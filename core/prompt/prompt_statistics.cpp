// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/prompt/prompt_statistics.h"

#include "core/model/parent_change.h"
#include "core/model/requests/conversation.h"
#include "core/prompt/insights.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace tilewright {

std::vector<PromptStatistics> promptStatistics(const std::vector<PromptOutcome>& outcomes, PromptGrouping grouping)
{
    using Key = std::tuple<std::string, Hash, std::string>;
    std::map<Key, std::pair<PromptStatistics, std::vector<double>>> groups;
    for (const PromptOutcome& outcome : outcomes) {
        const bool byModel = grouping == PromptGrouping::Model;
        const Key key
            = byModel ? Key{"", Hash{}, outcome.model} : Key{outcome.templateName, outcome.templateVersion, ""};
        auto& [group, gains] = groups[key];
        std::tie(group.templateName, group.templateVersion, group.model) = key;
        ++group.proposals;
        group.duplicates += outcome.fate == ProposalFate::Duplicate;
        group.applied += outcome.fate >= ProposalFate::Applied;
        group.built += outcome.fate >= ProposalFate::Built;
        group.ranked += outcome.fate == ProposalFate::Ranked;
        if (outcome.gain && *outcome.gain > 0)
            gains.push_back(std::log(*outcome.gain));
    }
    std::vector<PromptStatistics> statistics;
    for (auto& [key, entry] : groups) {
        entry.first.meanGain = meanGain(entry.second);
        statistics.push_back(std::move(entry.first));
    }
    return statistics;
}

std::vector<PromptOutcome> promptOutcomesOf(const RunState& state)
{
    std::map<ProposalId, const Candidate*> made;
    for (const Candidate& candidate : state.candidates)
        if (!candidate.migrated)
            made[candidate.proposal] = &candidate;
    std::vector<PromptOutcome> outcomes;
    for (const Proposal& proposal : state.proposals) {
        const auto found = made.find(proposal.id);
        const Candidate* candidate = found == made.end() ? nullptr : found->second;
        if (proposal.parents.empty() || proposal.state == ProposalState::Open
            || (candidate && candidate->outcome == Outcome::None))
            continue;
        PromptOutcome outcome;
        outcome.modelRequest = proposal.modelRequest;
        outcome.model = authorOf(state, proposal);
        if (const ModelRequest* modelRequest = state.modelRequest(proposal.modelRequest)) {
            outcome.templateName = modelRequest->promptName;
            outcome.templateVersion = modelRequest->promptVersion;
        }
        if (proposal.state == ProposalState::Duplicate)
            outcome.fate = ProposalFate::Duplicate;
        if (candidate) {
            outcome.fate = candidate->outcome == Outcome::BuildFailed ? ProposalFate::Applied
                : candidate->isRanked()                               ? ProposalFate::Ranked
                                                                      : ProposalFate::Built;
            if (const auto change = versusParent(state, *candidate))
                outcome.gain = change->ratio.value;
        }
        outcomes.push_back(std::move(outcome));
    }
    return outcomes;
}

namespace {

/// Adds what was asked and what it cost to the groups, and the groups that have questions only.
void addQuestions(std::vector<PromptStatistics>& groups, const RunState& state, PromptGrouping grouping)
{
    for (const ModelRequest& modelRequest : state.modelRequests) {
        PromptStatistics key;
        if (grouping == PromptGrouping::Model) {
            key.model = modelRequest.answer.model.empty() ? modelRequest.model : modelRequest.answer.model;
            key.model = key.model.empty() ? modelRequest.proposer : key.model;
        } else {
            key.templateName = modelRequest.promptName;
            key.templateVersion = modelRequest.promptVersion;
        }
        auto group = std::ranges::find_if(groups, [&key](const PromptStatistics& each) {
            return each.templateName == key.templateName && each.templateVersion == key.templateVersion
                && each.model == key.model;
        });
        if (group == groups.end())
            group = groups.insert(groups.end(), key);
        ++group->asked;
        if (modelRequest.state == ModelRequestState::Open)
            continue;
        group->unanswered += modelRequest.hasFailed();
        group->tokens += modelRequest.answer.tokens;
        group->costMicroUsd += modelRequest.cost().value_or(0);
        group->unpriced += !modelRequest.cost();
    }
}

} // namespace

RunStatistics runStatistics(const RunState& state)
{
    const std::vector<PromptOutcome> outcomes = promptOutcomesOf(state);
    RunStatistics statistics;
    for (auto [grouping, groups] : {std::pair(PromptGrouping::TemplateVersion, &statistics.byTemplate),
             std::pair(PromptGrouping::Model, &statistics.byModel)}) {
        *groups = promptStatistics(outcomes, grouping);
        addQuestions(*groups, state, grouping);
    }
    return statistics;
}

} // namespace tilewright
