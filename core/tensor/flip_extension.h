// SPDX-License-Identifier: GPL-3.0-or-later
// Larger formats from smaller ones (the meta flip graph of Kauers and Wood, 2025): a scheme with one row or column
// missing, and the products of the missing part. Beyond about 45 products, walks from schoolbook do not get far. Pure.
#pragma once

#include "core/tensor/mod2_scheme.h"

namespace tilewright::tensor {

/// Both schemes side by side along an axis (0: n, 1: m, 2: p); the formats agree on the other two axes and the result
/// must fit its masks. Ranks add.
Mod2Scheme sideBySide(const Mod2Scheme& first, const Mod2Scheme& second, int axis);

/// The scheme for one more on this axis: side by side with the schoolbook products of the missing part.
Mod2Scheme withOneMore(const Mod2Scheme& scheme, int axis);

/// One format on the way to a larger one, all with n ≤ m ≤ p.
struct FlipStage {
    Format format;
    int target = 0; ///< rank to reach

    bool operator==(const FlipStage&) const = default;
};

/// Formats up to this volume begin with schoolbook.
inline constexpr int schoolbookVolume = 27;

/// The formats from one that begins with schoolbook to this one, each extended from the one before it: the one that
/// gives the lowest rank to begin with. All but the last are searched down to their best known rank mod 2; where none
/// is known, to the rank that smaller formats give side by side.
std::vector<FlipStage> flipPlan(const Format& format, int target);

/// The rank of the best known scheme mod 2, or of the best one that smaller formats give side by side.
int reachableRank(const Format& format);

/// A scheme of `next` from one of the stage before: extended by one and with its axes sorted.
Mod2Scheme extendedTo(const Format& next, const Mod2Scheme& scheme);

} // namespace tilewright::tensor
