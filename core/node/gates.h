// SPDX-License-Identifier: GPL-3.0-or-later
// The numerical gates: is this product right? Values in, a coded finding out. Pure.
// Bounds: EVALUATION §3 (norm-wise τ; element-wise 1.05·u·|R| + 4√K·u·(|A||B|) + leastBound; exact integers) and §4
// (Freivalds).
#pragma once

#include "core/node/problem.h"

#include <span>

namespace tilewright {

/// What every element may be off, however small it is: fp32's smallest normal number.
constexpr double leastBound = 1.2e-38;
/// A figure in the text of a refusal.
std::string threeDigits(double value);

/// The truth of one product: C in double and |A|·|B|.
struct ReferenceProduct {
    std::vector<double> values, magnitudes;
};

/// The nearest number with the precision of that type (its range is left alone), ties to even.
float rounded(float value, Dtype type);

struct ProductView {
    ProductShape shape;
    std::span<const float> a, b, c;
};

/// Not finite, or still the poison (its bits): verify/poison, verify/nan.
Result<void> checkWritten(const ProductView& product, std::uint32_t poisonBits);
/// ‖C−R‖F / ‖R‖F ≤ τ: verify/norm.
Result<void> checkNorm(const ProductView& product, const ReferenceProduct& reference, double tau);
/// Every element within its bound: verify/elementwise, with the worst element as evidence.
/// `out` is what the elements of C were rounded to.
Result<void> checkElements(const ProductView& product, const ReferenceProduct& reference, Dtype out);
/// Bit-equal to the exact result of small integers: verify/exact.
Result<void> checkExact(const ProductView& product, const ReferenceProduct& reference);
/// O(n²) check of one timed launch with ±1 vectors drawn from the seed: verify/timed.
Result<void> checkFreivalds(const ProductView& product, std::uint64_t seed);

/// Built-in cheats (zeros, one-step downcast, skipped K/64, stale output, copied input) must fail the gates on this
/// task, else the task itself proves nothing: task/loose names the cheat.
Result<void> calibrateGates(const Task& task);

} // namespace tilewright
