// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/block_field.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace tilewright {
namespace {

constexpr double blockNs = 8e6, launchNs = 2.5e5; ///< of a block, and of what goes before a launch and behind it
constexpr int mostScreeningRepeats = 2; ///< eight launches a block

double meanLog(std::span<const double> times)
{
    double sum = 0;
    for (const double time : times)
        sum += std::log(time);
    return sum / static_cast<double>(times.size());
}

} // namespace

std::vector<std::string> BlockField::everyone() const
{
    std::vector<std::string> slots;
    for (const std::string& slot : order())
        if (std::ranges::find(slots, slot) == slots.end())
            slots.push_back(slot);
    return slots;
}

std::vector<std::string> BlockField::order() const
{
    std::vector<std::string> slots;
    for (int repeat = 0; repeat < repeats; ++repeat) {
        slots.insert(slots.end(), contestants.begin(), contestants.end());
        if (repeat == 0 && !middle.empty())
            slots.push_back(middle);
        slots.insert(slots.end(), contestants.rbegin(), contestants.rend());
    }
    return slots;
}

std::vector<double> BlockField::logRatios(
    const std::map<std::string, std::vector<double>>& timesNs, const std::string& slot) const
{
    const std::span<const double> other = timesNs.at(slot), candidate = timesNs.at("candidate");
    const std::size_t palindromes = slot == middle ? 1 : static_cast<std::size_t>(repeats);
    const auto share = [palindromes](std::span<const double> times, std::size_t which) {
        const std::size_t size = times.size() / palindromes;
        return times.subspan(which * size, size);
    };
    std::vector<double> ratios;
    for (std::size_t i = 0; i < palindromes; ++i)
        ratios.push_back(meanLog(share(other, i)) - meanLog(share(candidate, i)));
    return ratios;
}

int repeatsFor(double sampleNs) { return std::clamp(static_cast<int>(blockNs / (4 * (sampleNs + launchNs))), 1, 4); }

BlockField screeningField(int round, double sampleNs)
{
    const int repeats = std::min(mostScreeningRepeats, repeatsFor(sampleNs));
    if (round == 0 || repeats == 1)
        return {{"candidate", "candidate"}, 1, "incumbent"};
    if (round % 2 == 0)
        return {{"candidate", "incumbent"}, repeats};
    return {{"incumbent", "candidate"}, repeats};
}

} // namespace tilewright
