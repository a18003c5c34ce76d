// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evolve/population.h"

#include "core/model/tuning_record.h"

#include <algorithm>
#include <set>

namespace tilewright {
namespace {

/// Everyone who would live on the island with the newcomer, and who of them cannot leave: they hold a cell, or a
/// user pinned them.
struct Crowd {
    std::vector<CandidateId> members;
    std::set<CandidateId> staying;
};

Crowd crowdWith(const RunState& state, const Island& island, CandidateId newcomer, bool elite, const std::string& cell)
{
    Crowd crowd{island.members, {}};
    crowd.members.push_back(newcomer);
    for (const auto& [held, holder] : island.niches)
        if (!elite || held != cell)
            crowd.staying.insert(holder);
    for (const CandidateId id : crowd.members)
        if (isPinned(state, id))
            crowd.staying.insert(id);
    if (elite)
        crowd.staying.insert(newcomer);
    return crowd;
}

/// Other versions of the same program that live on the island, where programs are tuned before they are judged.
std::vector<CandidateId> versionsOn(const RunState& state, const Island& island, const Candidate& candidate)
{
    std::vector<CandidateId> versions;
    const CandidateId base = tuningBase(state, candidate.id);
    for (const CandidateId member : state.settings.tuning > 0 ? island.members : std::vector<CandidateId>{})
        if (member != candidate.id && tuningBase(state, member) == base)
            versions.push_back(member);
    return versions;
}

} // namespace

double fitnessOf(const Candidate& candidate) { return candidate.isRanked() ? candidate.score->value : 0.0; }

double fitnessOf(const RunState& state, CandidateId candidate)
{
    const Candidate* known = state.candidate(candidate);
    return known ? fitnessOf(*known) : 0.0;
}

Place placeFor(const RunState& state, const Island& island, CandidateId candidate, double score,
    const std::string& cell, Entry entry)
{
    if (std::find(island.members.begin(), island.members.end(), candidate) != island.members.end())
        return {};
    Place place{true, false, {}};
    const auto holder = island.niches.find(cell);
    place.elite
        = !isBanned(state, candidate) && (holder == island.niches.end() || score > fitnessOf(state, holder->second));

    Crowd crowd = crowdWith(state, island, candidate, place.elite, cell);
    if (entry == Entry::Stays)
        crowd.staying.insert(candidate);
    const auto scoreOf = [&](CandidateId id) {
        return isBanned(state, id) ? -1 : id == candidate ? score : fitnessOf(state, id);
    };
    while (crowd.members.size() > populationLimit) {
        // The worst that may leave goes; of equals the oldest.
        auto worst = crowd.members.end();
        for (auto it = crowd.members.begin(); it != crowd.members.end(); ++it)
            if (!crowd.staying.contains(*it) && (worst == crowd.members.end() || scoreOf(*it) < scoreOf(*worst)))
                worst = it;
        if (worst == crowd.members.end())
            break; // all are protected, however many
        if (*worst == candidate)
            return {};
        place.displaced.push_back(*worst);
        crowd.members.erase(worst);
    }
    return place;
}

std::vector<const Candidate*> byFitness(const RunState& state, const Island& island)
{
    std::set<CandidateId> ids(island.members.begin(), island.members.end());
    for (const auto& [cell, elite] : island.niches)
        ids.insert(elite);
    for (const auto& [id, marks] : state.marks)
        if (isPinned(state, id) && state.candidate(id)->island == island.id)
            ids.insert(id);
    std::vector<const Candidate*> ranked;
    for (const CandidateId id : ids)
        if (const Candidate* candidate = state.candidate(id);
            candidate && candidate->isRanked() && !isBanned(state, id))
            ranked.push_back(candidate);
    std::stable_sort(ranked.begin(), ranked.end(),
        [](const Candidate* a, const Candidate* b) { return fitnessOf(*a) > fitnessOf(*b); });
    return ranked;
}

std::optional<events::Admitted> placeByFitness(
    const RunState& state, const Island& island, const Candidate& candidate, const std::string& cell)
{
    const std::vector<CandidateId> versions = versionsOn(state, island, candidate);
    const auto isBetter = [&](CandidateId version) { return fitnessOf(state, version) >= fitnessOf(candidate); };
    if (std::ranges::any_of(versions, isBetter))
        return std::nullopt;
    Place place = placeFor(state, island, candidate.id, fitnessOf(candidate), cell);
    if (!place.taken)
        return std::nullopt;
    for (const CandidateId version : versions)
        if (std::ranges::find(place.displaced, version) == place.displaced.end())
            place.displaced.push_back(version);
    return events::Admitted{candidate.id, island.id, cell, place.elite, std::move(place.displaced)};
}

} // namespace tilewright
