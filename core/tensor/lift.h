// SPDX-License-Identifier: GPL-3.0-or-later
// From a scheme over Z2 to one over Z or Q with the same products: Hensel lifting. A scheme x that is right modulo 2^k
// becomes x + 2^k δ, right modulo 2^(k+1), where δ solves a linear system over Z2 whose matrix, the derivative of the
// products, is the same in every step. (Kauers and Moosbauer 2022, arXiv 2210.04045, section 5.) Pure.
#pragma once

#include "core/tensor/scheme.h"

#include <cstdint>

namespace tilewright::tensor {

enum class LiftOutcome {
    Lifted, ///< a scheme over Z or Q that is verified exactly
    Impossible, ///< no scheme over Z (nor over fractions with odd denominators) is congruent to it: proved
    Undecided ///< none of the branches that were tried led to one
};
inline constexpr NameTable<LiftOutcome, 3> liftOutcomes{
    {{LiftOutcome::Lifted, "lifted"}, {LiftOutcome::Impossible, "impossible"}, {LiftOutcome::Undecided, "undecided"}}};

/// Why a scheme has no lift: the conditions modulo 4 of these triples of entries, each linear over Z2, add up to 0 = 1.
/// The first step of the lifting does not depend on choices, so this holds for every lift.
struct LiftProof {
    struct Equation {
        int a = 0, b = 0, c = 0;
        bool operator==(const Equation&) const = default;
    };
    std::vector<Equation> equations; ///< empty where there is no proof

    bool operator==(const LiftProof&) const = default;
};

struct Lift {
    LiftOutcome outcome = LiftOutcome::Undecided;
    std::optional<Scheme> scheme; ///< of Lifted: over Z, or over Q where integers did not suffice
    LiftProof proof; ///< of Impossible
    int equations = 0, unknowns = 0, matrixRank = 0; ///< of the linear system
    int branches = 0; ///< that were tried: where a solution is not unique, another one of them begins another branch
    int bits = 0; ///< of Undecided: the largest power of 2 modulo which a lift was found
};

struct LiftLimits {
    int branches = 16;
    std::uint64_t seed = 1;
};

/// Errors: tensor/ring where the scheme is not over Z2, tensor/wrong where it is not right modulo 2, tensor/large where
/// the linear system is too large.
Result<Lift> lifted(const Scheme& scheme, const LiftLimits& limits = {});

/// Whether the first step, modulo 4, has a solution. Where it has none, that is the proof of Impossible; where it has
/// one, most schemes lift. Errors: those of lifted().
Result<bool> liftsModulo4(const Scheme& scheme);

/// Whether the proof is one, by adding up its equations again.
bool holds(const LiftProof& proof, const Scheme& scheme);

} // namespace tilewright::tensor
