// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/flip_lift.h"

#include "core/tensor/flip_polish.h"
#include "core/tensor/measures.h"

namespace tilewright::tensor {
namespace {

constexpr std::uint64_t flipsToNeighbour = 200'000;

} // namespace

Result<FlipLift> liftedToIntegers(const Mod2Scheme& scheme, int neighbours, std::uint64_t seed)
{
    FlipLift result;
    for (int neighbour = 0; neighbour <= neighbours && !result.isTernary; ++neighbour) {
        // The sparse ones first: they have the smaller coefficients.
        const bool isItself = neighbour == neighbours;
        const Scheme mod2 = schemeOf(
            isItself ? scheme : polished(scheme, flipsToNeighbour, seed + static_cast<std::uint64_t>(neighbour)));
        auto lift = lifted(mod2);
        if (!lift)
            return std::unexpected(lift.error());
        ++result.tried;
        if (lift->outcome == LiftOutcome::Impossible) {
            ++result.impossible;
            if (!result.provenFor) {
                result.provenFor = mod2;
                result.proof = std::move(lift->proof);
            }
        } else if (lift->outcome == LiftOutcome::Undecided || !lift->scheme)
            ++result.undecided;
        else if (lift->scheme->ring != Ring::Integers)
            ++result.rational;
        else if (const bool hasUnits = tensor::isTernary(*lift->scheme); hasUnits || !result.scheme) {
            result.scheme = std::move(lift->scheme);
            result.isTernary = hasUnits;
        }
    }
    return result;
}

} // namespace tilewright::tensor
