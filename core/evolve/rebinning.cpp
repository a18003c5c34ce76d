// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evolve/rebinning.h"

#include <algorithm>
#include <set>

namespace tilewright {
namespace {

/// Admissions between two looks, and programs below which a range says little.
constexpr std::int64_t admissionsBetween = 12;
constexpr std::size_t fewestPrograms = 12;
constexpr double leastBin = 0.1; ///< log2: bins are no narrower, 7 % of the value

bool isTurn(const RunState& state)
{
    std::int64_t admissions = 0;
    for (const Island& island : state.islands)
        admissions += island.admissions;
    return admissions > 0 && admissions % admissionsBetween == 0;
}

/// One of each program.
std::vector<const Candidate*> programsOf(const RunState& state)
{
    std::vector<const Candidate*> programs;
    std::set<Hash> seen;
    for (const Island& island : state.islands)
        for (const CandidateId id : island.members)
            if (const Candidate* member = state.candidate(id);
                member && member->isRanked() && seen.insert(member->program).second)
                programs.push_back(member);
    return programs;
}

/// The range of these values, log2, with half a bin of room at both ends.
NicheScale scaleOf(const std::vector<double>& values, const NicheAxis& axis)
{
    const auto [lowest, highest] = std::ranges::minmax(values);
    const double span = std::max(highest - lowest, leastBin * (axis.bins - 1));
    const double middle = (lowest + highest) / 2, room = span / (2 * std::max(1, axis.bins - 1));
    return {middle - span / 2 - room, middle + span / 2 + room};
}

bool fits(const NicheScale& now, const NicheScale& wanted, const std::vector<double>& values, const NicheAxis& axis)
{
    const auto outside
        = std::ranges::count_if(values, [&](double value) { return value > now.hi || (axis.log2 && value < now.lo); });
    const bool isSpread = axis.log2 ? wanted.hi - wanted.lo >= (now.hi - now.lo) / 2 : wanted.hi >= now.hi - 1;
    return 10 * outside <= static_cast<std::ptrdiff_t>(values.size()) && isSpread;
}

} // namespace

std::optional<std::vector<NicheScale>> dueScales(const RunState& state, const Task& task,
    const std::function<std::optional<double>(const NicheAxis&, const Candidate&)>& feature)
{
    if (!isTurn(state))
        return std::nullopt;
    const std::vector<const Candidate*> programs = programsOf(state);
    if (programs.size() < fewestPrograms)
        return std::nullopt;
    std::vector<NicheScale> scales;
    bool isDue = false;
    for (const NicheAxis& axis : nicheAxes(state, task)) {
        std::vector<double> values;
        for (const Candidate* program : programs)
            if (const auto value = feature(axis, *program))
                values.push_back(std::log2(*value));
        scales.push_back(nicheScale(axis));
        if (values.size() < fewestPrograms)
            continue;
        const NicheScale wanted = scaleOf(values, axis);
        if (fits(scales.back(), wanted, values, axis))
            continue;
        scales.back() = wanted;
        isDue = true;
    }
    return isDue ? std::optional(scales) : std::nullopt;
}

} // namespace tilewright
