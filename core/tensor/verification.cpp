// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/verification.h"

#include <numeric>

namespace tilewright::tensor {
namespace {

__extension__ using Wide = __int128;

/// re + im·i, over a denominator that all have in common.
struct WideNumber {
    Wide re = 0, im = 0;
};

struct ScaledTerm {
    int entry;
    std::int64_t re, im;
};

/// A factor as integers over one denominator: the coefficients that are not 0, by product.
struct ScaledFactor {
    std::int64_t denominator = 1; ///< up to largestNumber, so that the integers stay below 2^32
    std::vector<std::vector<ScaledTerm>> products;

    explicit ScaledFactor(const Factor& factor)
        : products(static_cast<std::size_t>(factor.products()))
    {
        for (const Coefficient& value : factor.values())
            denominator = std::lcm(denominator, value.den);
        for (int product = 0; product < factor.products(); ++product)
            for (int entry = 0; entry < factor.entries(); ++entry)
                if (const Coefficient& value = factor.at(entry, product); !value.isZero()) {
                    const std::int64_t scale = denominator / value.den;
                    products[static_cast<std::size_t>(product)].push_back({entry, value.re * scale, value.im * scale});
                }
    }
};

std::string foundText(const WideNumber& found, Wide unit)
{
    const auto divisor = [](Wide a, Wide b) {
        while (b != 0) {
            const Wide rest = a % b;
            a = b;
            b = rest;
        }
        return a < 0 ? -a : a;
    };
    const Wide common = divisor(divisor(found.re, found.im), unit);
    const auto fits = [](Wide value) { return value >= -largestNumber && value <= largestNumber; };
    const Wide re = found.re / common, im = found.im / common, den = unit / common;
    if (!fits(re) || !fits(im) || !fits(den))
        return "a number that is larger than " + std::to_string(largestNumber);
    return textOf(
        Coefficient{static_cast<std::int64_t>(re), static_cast<std::int64_t>(im), static_cast<std::int64_t>(den)});
}

} // namespace

bool isInProduct(const Format& format, int a, int b, int c)
{
    return a / format.m == c / format.p && a % format.m == b / format.p && b % format.p == c % format.p;
}

Verification verified(const Scheme& scheme)
{
    const ScaledFactor u(scheme.u), v(scheme.v), w(scheme.w);
    const Wide unit = Wide(u.denominator) * v.denominator * w.denominator;
    const Format& format = scheme.format;
    const auto aEntries = static_cast<std::size_t>(format.aEntries());
    const auto bEntries = static_cast<std::size_t>(format.bEntries());
    Verification result;
    result.entries = std::int64_t(format.aEntries()) * format.bEntries() * format.cEntries();
    std::vector<WideNumber> slice(aEntries * bEntries); // of one entry of C
    for (int c = 0; c < format.cEntries(); ++c) {
        std::ranges::fill(slice, WideNumber{});
        for (std::size_t r = 0; r < w.products.size(); ++r)
            for (const ScaledTerm& wTerm : w.products[r])
                if (wTerm.entry == c)
                    for (const ScaledTerm& uTerm : u.products[r]) {
                        const Wide re = Wide(wTerm.re) * uTerm.re - Wide(wTerm.im) * uTerm.im;
                        const Wide im = Wide(wTerm.re) * uTerm.im + Wide(wTerm.im) * uTerm.re;
                        WideNumber* const row = &slice[static_cast<std::size_t>(uTerm.entry) * bEntries];
                        for (const ScaledTerm& vTerm : v.products[r]) {
                            WideNumber& sum = row[vTerm.entry];
                            sum.re += re * vTerm.re - im * vTerm.im;
                            sum.im += re * vTerm.im + im * vTerm.re;
                        }
                    }
        for (std::size_t i = 0; i < slice.size(); ++i) {
            WideNumber found = slice[i];
            if (scheme.ring == Ring::Mod2)
                found.re %= 2;
            const int a = static_cast<int>(i / bEntries), b = static_cast<int>(i % bEntries);
            const int expected = isInProduct(format, a, b, c) ? 1 : 0;
            if (found.re == unit * expected && found.im == 0)
                continue;
            ++result.wrong;
            if (!result.first)
                result.first = WrongEntry{a, b, c, expected, foundText(found, unit)};
        }
    }
    return result;
}

std::string textOf(const Format& format, const WrongEntry& wrong)
{
    return entryName(format, Operand::A, wrong.a) + "·" + entryName(format, Operand::B, wrong.b) + " in "
        + entryName(format, Operand::C, wrong.c) + " is " + wrong.found + ", not " + std::to_string(wrong.expected);
}

} // namespace tilewright::tensor
