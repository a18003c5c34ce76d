// SPDX-License-Identifier: GPL-3.0-or-later
// Exact coefficients of matrix-multiplication schemes: (re + im·i) / den with small integers, canonical, so that equal
// numbers compare equal. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tilewright::tensor {

/// Largest magnitude of a numerator or a denominator. With it the sums of a verification fit into 128 bits.
inline constexpr std::int64_t largestNumber = 65536;

struct Coefficient {
    std::int64_t re = 0;
    std::int64_t im = 0;
    std::int64_t den = 1; ///< above 0; no common divisor with re and im

    bool operator==(const Coefficient&) const = default;

    bool isZero() const { return re == 0 && im == 0; }
    bool isReal() const { return im == 0; }
    bool isInteger() const { return im == 0 && den == 1; }
    bool isOdd() const { return re % 2 != 0; } ///< of an integer
    bool isUnit() const { return isInteger() && (re == 1 || re == -1); }
};

/// The number (re + im·i) / den in lowest terms; none if den is 0 or a part exceeds largestNumber.
std::optional<Coefficient> coefficientOf(std::int64_t re, std::int64_t im = 0, std::int64_t den = 1);
/// A finite double as the fraction that it is; none if its parts exceed largestNumber.
std::optional<Coefficient> coefficientOf(double re, double im);

Coefficient negated(const Coefficient& value);
// None if a part of the result exceeds largestNumber, or if it divides by zero.
std::optional<Coefficient> sumOf(const Coefficient& a, const Coefficient& b);
std::optional<Coefficient> productOf(const Coefficient& a, const Coefficient& b);
std::optional<Coefficient> quotientOf(const Coefficient& a, const Coefficient& b);

/// |value| as a double.
double magnitudeOf(const Coefficient& value);

/// "-1", "1/2", "(1-i)/2", "i".
std::string textOf(const Coefficient& value);
/// Reads what textOf() writes, and decimals such as "0.5", "0.5-0.5i", "-0.5j"; none for anything else.
std::optional<Coefficient> coefficientIn(std::string_view text);

} // namespace tilewright::tensor
