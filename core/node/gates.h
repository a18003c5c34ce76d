// SPDX-License-Identifier: Apache-2.0
// The numerical gates: is this product right? Values in, a coded finding out. Pure.
// Bounds: EVALUATION §3 (norm-wise τ; element-wise 1.05·u·|R| + 4√K·u·(|A||B|) + leastBound; exact integers) and §4
// (Freivalds).
#pragma once

#include "core/model/measurement/measured_checks.h"
#include "core/node/problem.h"
#include "core/protocol/rounding_growth.h"

#include <span>

namespace tilewright {

/// What every element may be off, however small it is: fp32's smallest normal number.
constexpr double leastBound = 1.2e-38;
/// A figure in the text of a refusal.
std::string threeDigits(double value);

/// How the sums of an operation on such inputs round.
constexpr Rounding roundingOf(InputKind kind)
{
    return kind == InputKind::Mixed || kind == InputKind::Integer ? Rounding::OneWay : Rounding::ByChance;
}

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

constexpr const char* unwrittenText
    = "an output element was never written, or was computed from an output element that was never written";
constexpr const char* propagatedText
    = "an output element was computed from an output element that was never written: the NaN that outputs are filled "
      "with before the run came through";
constexpr const char* notFiniteText = "an output element is not a finite number: it was computed so, or from an output "
                                      "element that was never written, as outputs are filled with NaN before the run";
constexpr const char* unwrittenHint = "write every element of the outputs, and set one before adding to it";

/// Not finite, or still the poison (its bits) or computed from it: verify/poison, verify/nan.
Result<void> checkWritten(const ProductView& product, std::uint32_t poisonBits);
/// ‖difference‖ / ‖reference‖, from their squares. Where the terms of few sums cancel, what is left is small by chance
/// and rounding is not: the reference counts at least as what sums of so many such terms usually are, ‖Σ|terms|‖ /
/// √depth (of terms with random signs; three fifths of ‖reference‖ where inputs are normal).
double relativeError(double differenceSquares, double referenceSquares, double termSquares, std::int64_t depth);
/// relativeError of C against R ≤ τ: that error, or verify/norm.
Result<double> checkNorm(const ProductView& product, const ReferenceProduct& reference, double tau);
/// Every element within its bound: how much of its bound the worst one takes (1: all), or verify/elementwise with the
/// worst element as evidence.
/// `out` is what the elements of C were rounded to.
/// `growth`: by how much the roundings of its sums may exceed those by chance.
Result<double> checkElements(
    const ProductView& product, const ReferenceProduct& reference, Dtype out, double growth = 1);
/// Bit-equal to the exact result of small integers: verify/exact.
Result<void> checkExact(const ProductView& product, const ReferenceProduct& reference);
/// What checkFreivalds() allows: of a row, and on average over the rows where at least leastDepthOfR terms are summed.
struct TimedBounds {
    double z = 0, r = 0;
};
inline constexpr std::int64_t leastDepthOfR = 128;
TimedBounds timedBounds(const ProductShape& shape, double growth);
/// O(n²) check of one timed launch with ±1 vectors drawn from the seed: how much of their bounds its errors take (1:
/// all), or verify/timed. `growth`: of the task's numeric.growthOf(depth); both bounds are multiplied by it.
Result<double> checkFreivalds(const ProductView& product, std::uint64_t seed, double growth = 1);

/// Built-in cheats (zeros, one-step downcast, skipped K/64, stale output, copied input) must fail the gates on this
/// task, else the task itself proves nothing: task/loose names the cheat. With a scheme they must fail the check of
/// timed launches as well, and a downcast the one of each timed shape.
Result<void> calibrateGates(const Task& task);

} // namespace tilewright
