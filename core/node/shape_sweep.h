// SPDX-License-Identifier: Apache-2.0
// Which sizes a program is tried on before it is confirmed, beside those that its task lists: cheap ones that see every
// residue modulo 128 of every dimension, beyond the task's largest size too. Pure; drawn from a secret seed.
//
// A program may branch on its dimensions, and one that is wrong on some residue of one of them only (an odd K, the last
// columns where N is 17 more than a multiple of 32) passes on any short list of sizes. Programs that are wrong on a
// combination of residues of several dimensions are found as far as pairs() is drawn from, or where suggested() reads
// the combination off the program's constants.
#pragma once

#include "core/base/random.h"
#include "core/base/result.h"
#include "core/model/task/task.h"
#include "core/source/size_constants.h"

#include <cstdint>
#include <map>
#include <vector>

namespace tilewright {

/// Residues that are looked at: of every dimension that many values in a row.
constexpr std::int64_t sweepResidues = 128;

/// A launch for a pair of residues may cost as many times the caps: there a second dimension has to reach 128.
constexpr double pairTimes = 2.5;

/// Most that one launch may cost; sizes that must be larger are.
struct SweepCaps {
    double flops = 1e6;
    std::int64_t elements = 1 << 19; ///< of all tensors together
};

/// Elements of each tensor that no launch of a sweep goes beyond.
std::vector<std::int64_t> mostSweepElements(const Task& task, const SweepCaps& caps);

/// A finding of any gate as the finding of a sweep: verify/… becomes verify/sweep, with the size as evidence. What is
/// the node's own or the task's fault stays what it is.
Error asSweepFinding(Error error, const Shape& shape);

class ShapeSweep
{
public:
    ShapeSweep(const Task& task, std::uint64_t seed, SweepCaps caps, SizeConstants constants = {});

    /// For each dimension, in a random order: 128 values in a row (multiples of the dimension's `multiple`; fewer where
    /// that is above 16) beyond the largest that the task lists, the other dimensions short and each through 128 values
    /// of its own. Where a launch beyond the largest size would break the caps by far, the values in a row lie as high
    /// as the caps allow, and an even, an odd and a prime one beyond the largest are added.
    std::vector<Shape> residues() const;

    /// Further sizes, as many as the caller has time for: pairs of residues of two dimensions, the first beyond the
    /// largest and the second short, no pair again before all have had their turn; and a tenth between short and large.
    std::vector<Shape> pairs(std::size_t count);
    /// Further sizes that the program's own constants suggest: two dimensions, or their sum, leave residues that stand
    /// in it, one of them beyond a number that the program compares with or beyond the task's largest size, the other
    /// short. What the text compares residues with is tried in every way before any comes again. None where it has
    /// none.
    std::vector<Shape> suggested(std::size_t count);
    /// Each dimension at the values that stand in the program (`SizeConstants::values`), as far as one launch may cost,
    /// with the others short and with the others as large as the caps allow.
    std::vector<Shape> named() const;
    /// Sizes whose dimensions are large together, each launch within `caps`: all equal; all beyond the largest that the
    /// task lists, the longest shortened first; each two of them so, the others short. With larger caps no dimension of
    /// any of them gets smaller.
    std::vector<Shape> together(const SweepCaps& caps) const;
    /// What a launch costs, in operations or elements, whichever is more.
    double work(const Shape& shape) const;

private:
    friend std::vector<std::int64_t> mostSweepElements(const Task& task, const SweepCaps& caps);
    struct Range {
        std::int64_t least = 1; ///< that the dimension may be
        std::int64_t shortest = 1, step = 1, count = 1; ///< of the short values
        std::int64_t high = 1; ///< first of the values in a row
        std::int64_t beyond = 1; ///< above the largest that the task lists
        std::int64_t top = 1; ///< at most half as much again
    };
    bool fits(const Shape& shape, double times) const;
    bool isWithin(const Shape& shape, const SweepCaps& caps, double times = 1) const;
    std::int64_t elements(const Shape& shape) const; ///< of all tensors
    /// Makes the other dimensions smaller until the caps hold; `kept` and `swept` as late as possible, or never.
    void shrink(Shape& shape, std::size_t swept, std::size_t kept, std::uint64_t ordinal, double times) const;
    Shape pair(std::uint64_t ordinal);
    Shape suggestion(std::uint64_t ordinal) const;
    std::int64_t longFrom(std::size_t dim, bool byLimit, CounterRandom& random) const;
    /// The n-th of `all` numbers in a random order: each once in a round, by a step that is prime to their number.
    std::uint64_t nthInRound(std::uint64_t all, std::uint64_t n, std::uint64_t stream) const;

    const Task& m_task;
    std::uint64_t m_seed;
    SweepCaps m_caps;
    SizeConstants m_constants;
    std::vector<Range> m_ranges; ///< by dimension
    std::vector<double> m_weights; ///< by dimension: how often a pair has it as its long one
    std::map<std::size_t, std::uint64_t> m_walked; ///< by pair of dimensions: pairs of residues that were drawn
    std::uint64_t m_drawn = 0, m_suggested = 0;
};

} // namespace tilewright
