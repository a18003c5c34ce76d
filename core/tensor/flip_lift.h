// SPDX-License-Identifier: GPL-3.0-or-later
// From a scheme that the search found mod 2 to one over the integers. Whether it lifts depends on the scheme, so
// neighbours of the same rank are tried as well. Pure.
#pragma once

#include "core/tensor/lift.h"
#include "core/tensor/mod2_scheme.h"

namespace tilewright::tensor {

struct FlipLift {
    std::optional<Scheme> scheme; ///< over Z, verified exactly; none where no neighbour lifted
    bool isTernary = false; ///< whether its coefficients are −1, 0 and 1
    int tried = 0, impossible = 0, rational = 0, undecided = 0; ///< schemes mod 2; rational: lifted to Q, not to Z
    std::optional<Scheme> provenFor; ///< mod 2: the first one that has a proof
    LiftProof proof; ///< of provenFor
};

/// As many neighbours as command line and window try.
inline constexpr int usualNeighbours = 8;

/// Tries the scheme and `neighbours` sparse ones that flips lead to, until one lifts with coefficients −1, 0 and 1;
/// else the first that lifted to Z holds. The same seed gives the same answer. Errors: those of lifted().
Result<FlipLift> liftedToIntegers(const Mod2Scheme& scheme, int neighbours, std::uint64_t seed);

} // namespace tilewright::tensor
