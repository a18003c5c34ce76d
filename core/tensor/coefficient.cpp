// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/coefficient.h"

#include "core/base/format.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

namespace tilewright::tensor {
namespace {

bool isSmall(std::int64_t value) { return value >= -largestNumber && value <= largestNumber; }

/// A fraction of parts that may be as large as the product of two such numbers twice over.
std::optional<Coefficient> reduced(std::int64_t re, std::int64_t im, std::int64_t den)
{
    if (den == 0)
        return std::nullopt;
    const std::int64_t common = std::gcd(std::gcd(re, im), den) * (den < 0 ? -1 : 1);
    const Coefficient value{re / common, im / common, den / common};
    if (!isSmall(value.re) || !isSmall(value.im) || !isSmall(value.den))
        return std::nullopt;
    return value;
}

/// A real number without sign at the start of `text`, which loses it: "3", "3/4", "0.5". 1 where `mayBeMissing` and a
/// letter follows.
std::optional<Coefficient> readNumber(std::string_view& text)
{
    const auto whole = [&]() -> std::optional<std::int64_t> {
        std::int64_t value = 0;
        const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (problem != std::errc{} || value < 0)
            return std::nullopt;
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        return value;
    };
    if (text.empty() || text[0] < '0' || text[0] > '9')
        return std::nullopt;
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    if (digits < text.size() && text[digits] == '.') {
        const std::size_t end = std::min(text.find_first_not_of("0123456789", digits + 1), text.size());
        const auto value = decimalOf(text.substr(0, end));
        text.remove_prefix(end);
        return value ? coefficientOf(*value, 0.0) : std::nullopt;
    }
    const auto numerator = whole();
    if (!numerator || !isSmall(*numerator))
        return std::nullopt;
    if (text.empty() || text[0] != '/')
        return Coefficient{*numerator};
    text.remove_prefix(1);
    if (text.empty() || text[0] < '0' || text[0] > '9')
        return std::nullopt;
    const auto denominator = whole();
    return denominator && isSmall(*denominator) ? coefficientOf(*numerator, 0, *denominator) : std::nullopt;
}

/// One or two signed terms, of which one may be imaginary.
std::optional<Coefficient> readSum(std::string_view text)
{
    Coefficient sum;
    int terms = 0;
    while (!text.empty()) {
        const bool isNegative = text[0] == '-';
        if (text[0] == '+' || isNegative)
            text.remove_prefix(1);
        else if (terms > 0)
            return std::nullopt;
        const bool startsWithI = !text.empty() && (text[0] == 'i' || text[0] == 'j');
        auto number = startsWithI ? std::optional(Coefficient{1}) : readNumber(text);
        if (!number)
            return std::nullopt;
        if (!text.empty() && text[0] == '*')
            text.remove_prefix(1);
        if (!text.empty() && (text[0] == 'i' || text[0] == 'j')) {
            text.remove_prefix(1);
            number = Coefficient{0, number->re, number->den};
        }
        const auto next = sumOf(sum, isNegative ? negated(*number) : *number);
        if (!next || ++terms > 2)
            return std::nullopt;
        sum = *next;
    }
    return terms == 0 ? std::nullopt : std::optional(sum);
}

} // namespace

std::optional<Coefficient> coefficientOf(std::int64_t re, std::int64_t im, std::int64_t den)
{
    constexpr std::int64_t room = std::int64_t(1) << 62;
    if (re <= -room || re >= room || im <= -room || im >= room || den <= -room || den >= room)
        return std::nullopt;
    return reduced(re, im, den);
}

std::optional<Coefficient> coefficientOf(double re, double im)
{
    if (!std::isfinite(re) || !std::isfinite(im) || std::abs(re) > double(largestNumber)
        || std::abs(im) > double(largestNumber))
        return std::nullopt;
    const double scaledRe = re * double(largestNumber), scaledIm = im * double(largestNumber);
    if (scaledRe != std::floor(scaledRe) || scaledIm != std::floor(scaledIm))
        return std::nullopt;
    return reduced(static_cast<std::int64_t>(scaledRe), static_cast<std::int64_t>(scaledIm), largestNumber);
}

Coefficient negated(const Coefficient& value) { return {-value.re, -value.im, value.den}; }

std::optional<Coefficient> sumOf(const Coefficient& a, const Coefficient& b)
{
    return reduced(a.re * b.den + b.re * a.den, a.im * b.den + b.im * a.den, a.den * b.den);
}

std::optional<Coefficient> productOf(const Coefficient& a, const Coefficient& b)
{
    return reduced(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re, a.den * b.den);
}

std::optional<Coefficient> quotientOf(const Coefficient& a, const Coefficient& b)
{
    // a / b = a · conj(b) · b.den / (|b|² a.den), with |b|² of the numerators.
    const std::int64_t norm = b.re * b.re + b.im * b.im;
    const auto numerator = productOf({a.re, a.im, a.den}, {b.re, -b.im, 1});
    if (norm == 0 || !numerator)
        return std::nullopt;
    return reduced(numerator->re * b.den, numerator->im * b.den, numerator->den * norm);
}

double magnitudeOf(const Coefficient& value)
{
    return std::hypot(static_cast<double>(value.re), static_cast<double>(value.im)) / static_cast<double>(value.den);
}

std::string textOf(const Coefficient& value)
{
    const auto imaginary = [&] {
        return (value.im == 1 ? "" : value.im == -1 ? "-" : std::to_string(value.im)) + std::string("i");
    };
    std::string text;
    if (value.im == 0)
        text = std::to_string(value.re);
    else if (value.re == 0)
        text = imaginary();
    else
        text = std::to_string(value.re) + (value.im > 0 ? "+" : "") + imaginary();
    if (value.den == 1)
        return text;
    return (value.re != 0 && value.im != 0 ? "(" + text + ")" : text) + "/" + std::to_string(value.den);
}

std::optional<Coefficient> coefficientIn(std::string_view text)
{
    constexpr std::size_t longest = 64;
    if (text.size() > longest)
        return std::nullopt;
    std::string compact;
    for (const char c : text)
        if (c != ' ')
            compact += c;
    std::string_view rest = compact;
    Coefficient divisor{1};
    // "(1-i)/2" and "-i/2": the divisor stands behind everything.
    if (const std::size_t slash = rest.rfind('/');
        slash != std::string_view::npos && slash > 0 && (rest[slash - 1] == ')' || rest[slash - 1] == 'i')) {
        std::string_view behind = rest.substr(slash + 1);
        const auto number = readNumber(behind);
        if (!number || !behind.empty() || !number->isInteger() || number->isZero())
            return std::nullopt;
        divisor = *number;
        rest = rest.substr(0, slash);
    }
    if (rest.size() >= 2 && rest.front() == '(' && rest.back() == ')')
        rest = rest.substr(1, rest.size() - 2);
    const auto sum = readSum(rest);
    return sum ? quotientOf(*sum, divisor) : std::nullopt;
}

} // namespace tilewright::tensor
