// SPDX-License-Identifier: Apache-2.0
#include "core/node/block_field.h"
#include "core/stats/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
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

namespace {

std::vector<std::uint64_t> tensorBytes(const Task& task, const Shape& shape)
{
    std::vector<std::uint64_t> bytes;
    for (const Tensor& tensor : task.tensors)
        bytes.push_back(static_cast<std::uint64_t>(task.elementsOf(tensor, shape)) * bytesOf(tensor.dtype));
    return bytes;
}

/// Launches of which all but one touch three times the cache.
std::uint64_t wantedLaunches(const Task& task, const Shape& shape, std::uint64_t l2Bytes)
{
    std::uint64_t touched = 0;
    for (const std::uint64_t bytes : tensorBytes(task, shape))
        touched += bytes;
    return 1 + (ringOverL2 * l2Bytes + touched - 1) / std::max<std::uint64_t>(1, touched);
}

/// Sets for so many launches, and those that are held back.
constexpr std::uint64_t setsFor(std::uint64_t launches) { return launches + (launches + 1) / 2; }

std::vector<Shape> timedShapes(const Task& task)
{
    std::vector<Shape> shapes = task.train;
    shapes.insert(shapes.end(), task.heldout.begin(), task.heldout.end());
    return shapes;
}

} // namespace

HotRing ringOf(const Task& task, const Shape& shape, std::uint64_t l2Bytes)
{
    if (task.timingMode == "cold")
        return {};
    const std::uint64_t launches = std::min(wantedLaunches(task, shape, l2Bytes), mostRing * 2 / 3);
    return {static_cast<int>(launches), static_cast<int>(setsFor(launches) - launches)};
}

Result<void> checkRings(const Task& task, std::uint64_t l2Bytes)
{
    if (task.timingMode != "cold")
        for (const Shape& shape : timedShapes(task))
            if (const std::uint64_t wanted = setsFor(wantedLaunches(task, shape, l2Bytes)); wanted > mostRing)
                return fail("task/ring",
                    "the mode " + task.timingMode + " cannot time " + shapeText(shape) + ": it needs "
                        + std::to_string(wanted)
                        + " sets of its data, to exceed three times this GPU's L2 cache before a set is reused, and "
                        + std::to_string(mostRing) + " are possible",
                    "use larger shapes, or the mode cold", {{"shape", shape}, {"sets", wanted}, {"most", mostRing}});
    return {};
}

void growForRings(GpuProcessSetup& setup, const Task& task)
{
    if (task.timingMode == "cold")
        return;
    for (const Shape& shape : timedShapes(task)) {
        const HotRing ring = ringOf(task, shape, setup.facts.l2Bytes);
        const auto sets = static_cast<std::uint64_t>(ring.launches + ring.held);
        const std::vector<std::uint64_t> bytes = tensorBytes(task, shape);
        for (std::size_t i = 0; i < setup.bufferBytes.size() && i < bytes.size(); ++i)
            setup.bufferBytes[i] = std::max(setup.bufferBytes[i], sets * roomOf(bytes[i]));
    }
}

LaunchSpread launchSpread(const std::vector<double>& ns)
{
    if (ns.empty())
        return {};
    const double usual = median(ns);
    return {*std::ranges::min_element(ns) / usual,
        std::reduce(ns.begin(), ns.end()) / static_cast<double>(ns.size()) / usual};
}

bool LaunchSpread::isUneven() const
{
    constexpr double leastOfMedian = 0.7, mostOfMean = 1.25; // of honest programs 0.82 and 1.07 were the furthest
    return shortest < leastOfMedian || mean > mostOfMean;
}

std::string unevenWords(const std::vector<double>& ns)
{
    const double usual = median(ns), shortest = *std::ranges::min_element(ns), longest = *std::ranges::max_element(ns);
    const auto us = [](double time) { return std::to_string(std::llround(time / 1e3)) + " µs"; };
    return "of launches with the same work, one took " + us(shortest) + " and one " + us(longest)
        + ", half of them up to " + us(usual);
}

} // namespace tilewright
