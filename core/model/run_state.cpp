// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/run_state.h"

#include <algorithm>

namespace tilewright {
namespace {

template <typename Items, typename IdType> auto* itemOf(const Items& items, IdType id)
{
    const bool known = id.value >= 1 && static_cast<std::size_t>(id.value) <= items.size();
    return known ? &items[static_cast<std::size_t>(id.value - 1)] : nullptr;
}

} // namespace

const Candidate* RunState::candidate(CandidateId id) const { return itemOf(candidates, id); }
const Proposal* RunState::proposal(ProposalId id) const { return itemOf(proposals, id); }
const Evaluation* RunState::evaluation(EvaluationId id) const { return itemOf(evaluations, id); }
const ModelRequest* RunState::modelRequest(ModelRequestId id) const { return itemOf(modelRequests, id); }
const Review* RunState::review(ReviewId id) const { return itemOf(reviews, id); }
const SealedMeasurement* RunState::sealedMeasurement(CandidateId id) const
{
    const auto found = std::ranges::find(sealedMeasurements, id, &SealedMeasurement::candidate);
    return found == sealedMeasurements.end() ? nullptr : &*found;
}

const Island* RunState::island(IslandId id) const { return itemOf(islands, id); }

std::int64_t RunState::islandCount() const
{
    return std::max(
        {static_cast<std::int64_t>(islands.size()), static_cast<std::int64_t>(settings.islands), std::int64_t(1)});
}

const IslandChange* RunState::newestIslandChange() const
{
    for (std::size_t i = islandChanges.size(); i > 0; --i)
        if (!islandChanges[i - 1].undone)
            return &islandChanges[i - 1];
    return nullptr;
}

const Marks& RunState::marksOf(CandidateId id) const
{
    static const Marks blank;
    const auto found = marks.find(id);
    return found == marks.end() || found->second.empty() ? blank : found->second.back().marks;
}

const InsightNote* RunState::personsInsight() const
{
    const auto found = std::find_if(
        insights.rbegin(), insights.rend(), [](const InsightNote& note) { return note.author == "person"; });
    return found == insights.rend() || found->text.isNull() ? nullptr : &*found;
}

const TemplateVersion* RunState::newestTemplate(IslandId island, std::string_view name) const
{
    const auto found = std::find_if(templates.rbegin(), templates.rend(),
        [&](const TemplateVersion& version) { return version.island == island && version.name == name; });
    return found == templates.rend() ? nullptr : &*found;
}

const InsightNote* RunState::newestInsight() const
{
    const auto found = std::find_if(
        insights.rbegin(), insights.rend(), [](const InsightNote& note) { return note.author != "person"; });
    return found == insights.rend() ? nullptr : &*found;
}

const Candidate* RunState::best() const
{
    const Candidate* held = candidate(incumbent);
    return held && held->confirmed && !isBanned(*this, held->id) ? held : nullptr;
}

bool isSeedAwaited(const RunState& state)
{
    return !state.candidates.empty() && state.candidates[0].stage != Stage::Done;
}

} // namespace tilewright
