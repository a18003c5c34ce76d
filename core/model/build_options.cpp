// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/build_options.h"

#include <algorithm>
#include <array>

namespace tilewright {
namespace {

using Words = std::string_view;

constexpr std::array<Words, 6> levels{"-O0", "-O1", "-O2", "-O3", "-Os", "-Og"};

/// Without "-f" and "-fno-": each may be turned on and off.
constexpr std::array<Words, 24> optimisations{"unroll-loops", "unroll-all-loops", "peel-loops", "split-loops",
    "unswitch-loops", "tree-vectorize", "tree-loop-vectorize", "tree-slp-vectorize", "tree-loop-distribution",
    "loop-interchange", "loop-unroll-and-jam", "loop-nest-optimize", "prefetch-loop-arrays", "inline-functions",
    "inline-small-functions", "omit-frame-pointer", "strict-aliasing", "schedule-insns", "schedule-insns2",
    "sched-pressure", "rename-registers", "ivopts", "gcse", "plt"};
/// The same, with a value.
constexpr std::array<Words, 4> valued{"-fvect-cost-model=", "-fsimd-cost-model=", "-finline-limit=", "-ffp-contract="};
/// They change no result that a program can see but errno and traps.
constexpr std::array<Words, 3> harmless{"-fno-math-errno", "-fno-trapping-math", "-fno-semantic-interposition"};
/// Sums may be reordered, zeros lose their sign, what is not finite may be anything.
constexpr std::array<Words, 8> fast{"-Ofast", "-ffast-math", "-funsafe-math-optimizations", "-fassociative-math",
    "-freciprocal-math", "-ffinite-math-only", "-fno-signed-zeros", "-fcx-limited-range"};

template <std::size_t N> bool holds(const std::array<Words, N>& list, Words word)
{
    return std::ranges::find(list, word) != list.end();
}

/// "-mavx2", "-march=native": letters, digits and a few signs, no path and no further word.
bool choosesInstructions(Words option)
{
    return option.size() > 2 && option.starts_with("-m")
        && option.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-=.+_", 2)
        == Words::npos;
}

bool optimises(Words option)
{
    if (!option.starts_with("-f"))
        return false;
    Words name = option.substr(2);
    if (name.starts_with("no-"))
        name.remove_prefix(3);
    return holds(optimisations, name) || std::ranges::any_of(valued, [&](Words begin) {
        return option.starts_with(begin)
            && option.substr(begin.size()).find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == Words::npos;
    });
}

} // namespace

std::string objectionToOption(std::string_view option, FastMath fastMath)
{
    if (holds(fast, option))
        return fastMath == FastMath::Allowed
            ? std::string()
            : "'" + std::string(option) + "' needs \"fast_math\": true, and an accuracy that bears it";
    if (holds(levels, option) || holds(harmless, option) || choosesInstructions(option) || optimises(option))
        return {};
    return "'" + std::string(option)
        + "' is not one of the options that a task may give (-O…, -m…, and those of -f… that "
          "choose optimisations)";
}

} // namespace tilewright
