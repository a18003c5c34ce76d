// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/scheme.h"

#include "core/base/text.h"

#include <algorithm>
#include <charconv>
#include <numeric>

namespace tilewright::tensor {
namespace {

/// The least common multiple of the denominators must stay small: all sums are taken over it.
Result<void> checkFactor(const Factor& factor, Ring ring, const char* name)
{
    std::int64_t common = 1;
    for (int product = 0; product < factor.products(); ++product)
        for (int entry = 0; entry < factor.entries(); ++entry) {
            const Coefficient& value = factor.at(entry, product);
            const bool fits = ring == Ring::Gaussian || (ring == Ring::Rationals && value.isReal())
                || (ring == Ring::Integers && value.isInteger())
                || (ring == Ring::Mod2 && value.isInteger() && (value.re == 0 || value.re == 1));
            const std::string where = std::string(name) + ", product " + std::to_string(product + 1) + ", entry "
                + std::to_string(entry + 1);
            if (!fits)
                return fail("tensor/coefficient",
                    "the coefficient " + textOf(value) + " of " + where + " is not in " + nameIn(ringNames, ring));
            common = std::lcm(common, value.den);
            if (common > largestNumber)
                return fail("tensor/coefficient",
                    "the denominators of " + where + " and those before it have no common multiple up to "
                        + std::to_string(largestNumber));
        }
    return {};
}

} // namespace

std::string textOf(const Format& format)
{
    return std::to_string(format.n) + "x" + std::to_string(format.m) + "x" + std::to_string(format.p);
}

Result<Format> formatIn(std::string_view text)
{
    std::array<int, 3> sizes{};
    const char* at = text.data();
    const char* const end = at + text.size();
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const auto [next, problem] = std::from_chars(at, end, sizes[i]);
        const bool isLast = i + 1 == sizes.size();
        if (problem != std::errc{} || isLast != (next == end) || (!isLast && *next != 'x' && *next != ','))
            return fail("tensor/format", "'" + oneLine(text, 40) + "' is not a format", "write it as 2x3x4");
        at = isLast ? next : next + 1;
    }
    const Format format{sizes[0], sizes[1], sizes[2]};
    if (const auto checked = checkFormat(format); !checked)
        return std::unexpected(checked.error());
    return format;
}

Result<void> checkFormat(const Format& format)
{
    const auto fits = [](int rows, int columns) {
        return rows >= 1 && columns >= 1 && rows <= mostEntries && columns <= mostEntries
            && rows * columns <= mostEntries;
    };
    if (fits(format.n, format.m) && fits(format.m, format.p) && fits(format.n, format.p))
        return {};
    return fail("tensor/format",
        "the format " + textOf(format) + " is not supported: A, B and C need 1 to " + std::to_string(mostEntries)
            + " entries each");
}

const Factor& Scheme::factor(Operand operand) const
{
    return operand == Operand::A ? u : operand == Operand::B ? v : w;
}

Scheme emptyScheme(const Format& format, Ring ring, int rank)
{
    return {format, ring, Factor(format.aEntries(), rank), Factor(format.bEntries(), rank),
        Factor(format.cEntries(), rank), {}, {}};
}

Result<void> checkScheme(const Scheme& scheme)
{
    if (const auto format = checkFormat(scheme.format); !format)
        return format;
    if (scheme.rank() < 1 || scheme.rank() > mostProducts)
        return fail("tensor/rank",
            "the scheme has " + std::to_string(scheme.rank()) + " products; 1 to " + std::to_string(mostProducts)
                + " are supported");
    if (scheme.u.entries() != scheme.format.aEntries() || scheme.v.entries() != scheme.format.bEntries()
        || scheme.w.entries() != scheme.format.cEntries() || scheme.v.products() != scheme.rank()
        || scheme.w.products() != scheme.rank())
        return fail("tensor/shape", "the sizes of U, V and W do not fit the format " + textOf(scheme.format));
    for (const auto& [factor, name] : {std::pair{&scheme.u, "U"}, {&scheme.v, "V"}, {&scheme.w, "W"}})
        if (const auto checked = checkFactor(*factor, scheme.ring, name); !checked)
            return checked;
    return {};
}

Ring smallestRing(const Scheme& scheme)
{
    Ring ring = Ring::Integers;
    for (const Factor* factor : {&scheme.u, &scheme.v, &scheme.w})
        for (const Coefficient& value : factor->values()) {
            if (!value.isReal())
                return Ring::Gaussian;
            if (!value.isInteger())
                ring = Ring::Rationals;
        }
    return ring;
}

std::string entryName(const Format& format, Operand operand, int entry)
{
    const char* const letters = "abc";
    const int columns = sizeOf(format, operand)[1];
    const bool isLong = std::max({format.n, format.m, format.p}) > 9;
    return letters[static_cast<int>(operand)] + std::to_string(entry / columns + 1) + (isLong ? "_" : "")
        + std::to_string(entry % columns + 1);
}

std::array<int, 2> sizeOf(const Format& format, Operand operand)
{
    if (operand == Operand::A)
        return {format.n, format.m};
    return operand == Operand::B ? std::array{format.m, format.p} : std::array{format.n, format.p};
}

} // namespace tilewright::tensor
