// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/flip_extension.h"

#include "core/tensor/best_known.h"

#include <algorithm>
#include <map>

namespace tilewright::tensor {
namespace {

/// The factor's mask in a larger matrix: entry (row, column) goes to (row + top, column + left).
std::uint64_t placed(std::uint64_t mask, int columns, int newColumns, int top, int left)
{
    std::uint64_t result = 0;
    for (; mask != 0; mask &= mask - 1) {
        const int at = std::countr_zero(mask);
        result |= std::uint64_t(1) << ((at / columns + top) * newColumns + at % columns + left);
    }
    return result;
}

Format withAxis(const Format& format, int axis, int size)
{
    std::array<int, 3> axes = axesOf(format);
    axes[axis] = size;
    return formatOf(axes);
}

/// The format with one less on this axis, sorted.
Format lesser(const Format& format, int axis) { return sorted(withAxis(format, axis, axesOf(format)[axis] - 1)); }

int reachableRankOf(const Format& format, std::map<std::array<int, 3>, int>& known)
{
    if (const auto found = known.find(axesOf(format)); found != known.end())
        return found->second;
    int least = format.naiveRank();
    if (const auto best = bestKnown(format, Ring::Mod2))
        least = best->rank;
    else
        for (int axis = 0; axis < 3; ++axis)
            for (int size = 1; size <= axesOf(format)[axis] / 2; ++size)
                least = std::min(least,
                    reachableRankOf(sorted(withAxis(format, axis, size)), known)
                        + reachableRankOf(sorted(withAxis(format, axis, axesOf(format)[axis] - size)), known));
    return known[axesOf(format)] = least;
}

} // namespace

Mod2Scheme sideBySide(const Mod2Scheme& first, const Mod2Scheme& second, int axis)
{
    const int behind = axesOf(first.format)[axis];
    Mod2Scheme result{withAxis(first.format, axis, behind + axesOf(second.format)[axis]), {}};
    const std::array<int, 3> columns{result.format.m, result.format.p, result.format.p};
    const auto add = [&](const Mod2Scheme& part, std::array<int, 3> from) {
        const auto [i, j, k] = from;
        for (const Mod2Product& product : part.products)
            result.products.push_back({placed(product[0], part.format.m, columns[0], i, j),
                placed(product[1], part.format.p, columns[1], j, k),
                placed(product[2], part.format.p, columns[2], i, k)});
    };
    std::array<int, 3> from{};
    add(first, from);
    from[axis] = behind;
    add(second, from);
    return result;
}

Mod2Scheme withOneMore(const Mod2Scheme& scheme, int axis)
{
    return sideBySide(scheme, mod2Schoolbook(withAxis(scheme.format, axis, 1)), axis);
}

int reachableRank(const Format& format)
{
    std::map<std::array<int, 3>, int> known;
    return reachableRankOf(sorted(format), known);
}

std::vector<FlipStage> flipPlan(const Format& format, int target)
{
    std::vector<FlipStage> plan{{sorted(format), target}};
    while (plan.back().format.naiveRank() > schoolbookVolume) {
        const Format now = plan.back().format;
        std::optional<FlipStage> best;
        int leastStart = 0;
        for (int axis = 0; axis < 3; ++axis) {
            if (axesOf(now)[axis] == 1)
                continue;
            const Format before = lesser(now, axis);
            const int rank = reachableRank(before), start = rank + now.naiveRank() / axesOf(now)[axis];
            if (!best || start < leastStart) {
                best = FlipStage{before, rank};
                leastStart = start;
            }
        }
        plan.push_back(*best);
    }
    std::ranges::reverse(plan);
    return plan;
}

Mod2Scheme extendedTo(const Format& next, const Mod2Scheme& scheme)
{
    for (int axis = 0; axis < 3; ++axis)
        if (sorted(withAxis(scheme.format, axis, axesOf(scheme.format)[axis] + 1)) == next) {
            Mod2Scheme larger = withOneMore(scheme, axis);
            return withAxes(larger, sortedAxes(larger.format));
        }
    return mod2Schoolbook(next);
}

} // namespace tilewright::tensor
