// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/proposer/experience.h"

#include "core/base/text.h"

#include <algorithm>
#include <cmath>

namespace tilewright {
namespace {

constexpr double hopefulGain = 0.15,
                 hopefulDeviation = 0.35; // log ratios: a move may well give 15 %, or half as much again
constexpr double lossOfFailure = -0.5;
/// Differing moves over which evidence from another lineage loses e-fold weight.
constexpr double reach = 3.0;

double differing(const std::vector<std::string>& a, const std::vector<std::string>& b)
{
    const auto missing = [](const auto& from, const auto& in) {
        return std::count_if(from.begin(), from.end(),
            [&](const auto& name) { return std::find(in.begin(), in.end(), name) == in.end(); });
    };
    return static_cast<double>(missing(a, b) + missing(b, a));
}

bool failed(const Candidate& candidate)
{
    return candidate.outcome == Outcome::BuildFailed || candidate.outcome == Outcome::RunFailed
        || candidate.outcome == Outcome::Refused;
}

/// Added lines of a diff, without their '+': enough to find the tunables that a move brings.
std::string addedLines(std::string_view diff)
{
    std::string text = "// EVOLVE-BLOCK-START\n";
    for (const std::string_view line : splitLines(diff))
        if (line.starts_with('+') && !line.starts_with("+++"))
            text.append(line.substr(1)).append("\n");
    return text + "// EVOLVE-BLOCK-END\n";
}

} // namespace

MoveBelief beliefAbout(const RunState& state, const std::string& move, const std::vector<std::string>& lineage)
{
    double weights = 1.0, gains = hopefulGain,
           squares = hopefulDeviation * hopefulDeviation + hopefulGain * hopefulGain;
    for (const Candidate& child : state.candidates) {
        const Proposal* proposal = state.proposal(child.proposal);
        if (child.migrated || child.parents.empty() || child.outcome == Outcome::None || !proposal)
            continue;
        const bool added = std::find(proposal->moves.begin(), proposal->moves.end(), move) != proposal->moves.end();
        const bool removed
            = std::find(proposal->moves.begin(), proposal->moves.end(), "-" + move) != proposal->moves.end();
        const Candidate* parent = state.candidate(child.parents.front());
        if ((!added && !removed) || !parent || !parent->isRanked())
            continue;
        double gain = lossOfFailure;
        if (child.isRanked())
            gain = std::clamp(std::log(child.score->value / parent->score->value), -1.5, 1.5);
        else if (!failed(child))
            continue;
        // Several moves at once share the credit, and say less about each.
        const auto shared = static_cast<double>(proposal->moves.size());
        gain = (removed ? -1.0 : 1.0) * gain / shared;
        std::vector<std::string> others = parent->moves;
        std::erase(others, move);
        const double weight = std::exp(-differing(others, lineage) / reach) / shared;
        weights += weight;
        gains += weight * gain;
        squares += weight * gain * gain;
    }
    const double mean = gains / weights;
    const double spread = std::max(squares / weights - mean * mean, 0.0025);
    return {mean, std::sqrt(spread / weights)};
}

std::optional<std::int64_t> bestKnownValue(const RunState& state, const std::string& tunable)
{
    const Candidate* best = nullptr;
    for (const Candidate& candidate : state.candidates)
        if (candidate.isRanked() && candidate.tunables.contains(tunable)
            && (!best || candidate.score->value > best->score->value))
            best = &candidate;
    return best ? std::optional(best->tunables.at(tunable)) : std::nullopt;
}

std::vector<ModelSample> samplesOf(const RunState& state, const std::map<std::string, Tunable>& choices,
    const std::function<bool(const Candidate&)>& counts)
{
    double worst = 0;
    for (const Candidate& candidate : state.candidates)
        if (candidate.isRanked() && candidate.score->value > 0)
            worst = std::min(worst, std::log(candidate.score->value));
    std::vector<ModelSample> samples;
    for (const Candidate& candidate : state.candidates) {
        const bool ranked = candidate.isRanked() && candidate.score->value > 0;
        if (candidate.migrated || (!ranked && !failed(candidate)) || (counts && !counts(candidate)))
            continue;
        std::vector<Tunable> tunables;
        for (const auto& [name, value] : candidate.tunables)
            if (const auto known = choices.find(name); known != choices.end()) {
                tunables.push_back(known->second);
                tunables.back().value = value;
            }
        samples.push_back({pointOf(candidate.moves, tunables), ranked ? std::log(candidate.score->value) : worst});
    }
    return samples;
}

std::map<std::string, Tunable> tunablesOfPack(const TaskPack& pack)
{
    std::map<std::string, Tunable> byName;
    for (Tunable& tunable : tunablesOf(pack.seed()))
        byName.try_emplace(tunable.name, tunable);
    for (const Move& move : pack.moves)
        for (Tunable& tunable : tunablesOf(addedLines(move.diff)))
            byName.try_emplace(tunable.name, tunable);
    return byName;
}

} // namespace tilewright
