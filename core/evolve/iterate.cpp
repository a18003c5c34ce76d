// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evolve/iterate.h"

#include "core/evolve/population.h"
#include "core/model/tuning_record.h"

namespace tilewright {
namespace {

/// Which of the lines a request of this ordinal belongs to, from 0 on.
std::int64_t lineOf(std::int64_t ordinal) { return (ordinal - 1) % Iterate::lines; }

/// What a line has come to.
struct Line {
    const Candidate* best = nullptr; ///< null: nothing of it is ranked
    int sinceBest = 0; ///< results after it
};

Line lineAt(const RunState& state, const Island& island, std::int64_t number)
{
    Line line;
    for (const Candidate& candidate : state.candidates) {
        const Candidate* base = state.candidate(tuningBase(state, candidate.id)); // a version belongs to its program
        const Proposal* proposal = base ? state.proposal(base->proposal) : nullptr;
        if (!proposal || candidate.island != island.id || candidate.migrated || candidate.parents.empty()
            || candidate.outcome == Outcome::None || lineOf(proposal->ordinal) != number)
            continue;
        ++line.sinceBest;
        const bool isBetter = candidate.isRanked() && !isBanned(state, candidate.id)
            && (!line.best || fitnessOf(candidate) > fitnessOf(*line.best));
        if (isBetter)
            line = {&candidate, 0};
    }
    return line;
}

const Candidate* bestOfLines(const RunState& state, const Island& island)
{
    const Candidate* best = nullptr;
    for (std::int64_t number = 0; number < Iterate::lines; ++number)
        if (const Line line = lineAt(state, island, number);
            line.best && (!best || fitnessOf(*line.best) > fitnessOf(*best)))
            best = line.best;
    return best;
}

} // namespace

std::optional<ProposalRequest> Iterate::request(const RunState& state, const Island& island, std::int64_t ordinal) const
{
    if (state.candidates.empty())
        return std::nullopt;
    const Line line = lineAt(state, island, lineOf(ordinal));
    const Candidate* parent = line.best;
    if (!parent || line.sinceBest >= patience)
        parent = bestOfLines(state, island);
    if (!parent)
        parent = &state.candidates[0];
    // Small steps first; what two of them did not improve needs another idea.
    const bool isNew = parent->id == CandidateId{1} || line.sinceBest >= 2;
    return ProposalRequest{island.id, ordinal, isNew ? Focus::Explore : Focus::Exploit, {parent->id}};
}

std::string Iterate::why(const RunState& state, const Island& island, const ProposalRequest& request) const
{
    const std::int64_t number = lineOf(request.ordinal);
    const Line line = lineAt(state, island, number);
    const std::string name = "line " + std::to_string(number + 1) + " of " + std::to_string(lines);
    if (!line.best)
        return name + " starts from the seed, or from the best of the others";
    if (line.sinceBest >= patience)
        return name + " had no improvement in " + std::to_string(line.sinceBest)
            + " results and continues from the best of all lines";
    return "the best program of " + name + ", " + std::to_string(line.sinceBest) + " results ago"
        + (request.focus == Focus::Explore ? ": another idea is requested" : ": a further step is requested");
}

} // namespace tilewright
