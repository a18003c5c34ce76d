// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/transforms.h"

#include "core/tensor/known_schemes.h"

#include <algorithm>

namespace tilewright::tensor {
namespace {

int& sizeAlong(Format& format, Dimension along)
{
    return along == Dimension::N ? format.n : along == Dimension::M ? format.m : format.p;
}

/// The ring of what is made of both. Over Z2, only both.
Result<Ring> commonRing(const Scheme& a, const Scheme& b)
{
    if ((a.ring == Ring::Mod2) != (b.ring == Ring::Mod2))
        return fail("tensor/ring", "a scheme over Z2 and one over another ring cannot be combined",
            "reduce the other one modulo 2, or lift the first");
    return std::max(a.ring, b.ring);
}

Factor transposedFactor(const Factor& factor, int rows)
{
    Factor result(factor.entries(), factor.products());
    const int columns = factor.entries() / rows;
    for (int product = 0; product < factor.products(); ++product)
        for (int entry = 0; entry < factor.entries(); ++entry)
            result.at(entry % columns * rows + entry / columns, product) = factor.at(entry, product);
    return result;
}

/// One factor of a tensor product; none where a coefficient becomes too large.
std::optional<Factor> composedFactor(
    const Factor& outer, std::array<int, 2> outerSize, const Factor& inner, std::array<int, 2> innerSize)
{
    const int columns = outerSize[1] * innerSize[1];
    Factor result(outer.entries() * inner.entries(), outer.products() * inner.products());
    for (int r = 0; r < outer.products(); ++r)
        for (int s = 0; s < inner.products(); ++s)
            for (int x = 0; x < outer.entries(); ++x)
                for (int y = 0; y < inner.entries(); ++y) {
                    const int row = x / outerSize[1] * innerSize[0] + y / innerSize[1];
                    const int column = x % outerSize[1] * innerSize[1] + y % innerSize[1];
                    const auto value = productOf(outer.at(x, r), inner.at(y, s));
                    if (!value)
                        return std::nullopt;
                    result.at(row * columns + column, r * inner.products() + s) = *value;
                }
    return result;
}

/// Copies a factor into a larger matrix, with its first entry and first product there.
void place(const Factor& factor, std::array<int, 2> size, Factor& into, std::array<int, 2> intoSize,
    std::array<int, 2> corner, int firstProduct)
{
    for (int product = 0; product < factor.products(); ++product)
        for (int entry = 0; entry < factor.entries(); ++entry)
            into.at((entry / size[1] + corner[0]) * intoSize[1] + entry % size[1] + corner[1], firstProduct + product)
                = factor.at(entry, product);
}

Result<Scheme> checkedScheme(Scheme scheme)
{
    if (const auto checked = checkScheme(scheme); !checked)
        return std::unexpected(checked.error());
    return scheme;
}

} // namespace

Result<Scheme> composed(const Scheme& outer, const Scheme& inner)
{
    const auto ring = commonRing(outer, inner);
    if (!ring)
        return std::unexpected(ring.error());
    Scheme result;
    result.ring = *ring;
    result.format = {outer.format.n * inner.format.n, outer.format.m * inner.format.m, outer.format.p * inner.format.p};
    if (const auto checked = checkFormat(result.format); !checked)
        return std::unexpected(checked.error());
    if (outer.rank() * inner.rank() > mostProducts)
        return fail("tensor/rank",
            "the composition has " + std::to_string(outer.rank() * inner.rank()) + " products; at most "
                + std::to_string(mostProducts) + " are supported");
    const auto factorOf = [&](Operand operand) {
        return composedFactor(
            outer.factor(operand), sizeOf(outer.format, operand), inner.factor(operand), sizeOf(inner.format, operand));
    };
    auto u = factorOf(Operand::A), v = factorOf(Operand::B), w = factorOf(Operand::C);
    if (!u || !v || !w)
        return fail(
            "tensor/coefficient", "a coefficient of the composition is larger than " + std::to_string(largestNumber));
    result.u = std::move(*u);
    result.v = std::move(*v);
    result.w = std::move(*w);
    if (!outer.name.empty() && !inner.name.empty())
        result.name = outer.name + " with " + inner.name;
    return checkedScheme(std::move(result));
}

Scheme rotated(const Scheme& scheme)
{
    const Format& old = scheme.format;
    Scheme result{{old.m, old.p, old.n}, scheme.ring, scheme.v, transposedFactor(scheme.w, old.n),
        transposedFactor(scheme.u, old.n), scheme.name, scheme.origin};
    return result;
}

Scheme transposed(const Scheme& scheme)
{
    const Format& old = scheme.format;
    return {{old.p, old.m, old.n}, scheme.ring, transposedFactor(scheme.v, old.m), transposedFactor(scheme.u, old.n),
        transposedFactor(scheme.w, old.n), scheme.name, scheme.origin};
}

Result<Scheme> directSum(const Scheme& first, const Scheme& second, Dimension along)
{
    const auto ring = commonRing(first, second);
    if (!ring)
        return std::unexpected(ring.error());
    Format format = first.format, other = second.format;
    const int start = sizeAlong(format, along);
    const int more = sizeAlong(other, along);
    sizeAlong(other, along) = start;
    if (other != format)
        return fail("tensor/format",
            "the formats " + textOf(first.format) + " and " + textOf(second.format) + " differ in more than "
                + nameIn(dimensionNames, along));
    sizeAlong(format, along) = start + more;
    if (const auto checked = checkFormat(format); !checked)
        return std::unexpected(checked.error());
    Scheme result = emptyScheme(format, *ring, first.rank() + second.rank());
    // Where the entries of the second scheme begin in A, B and C.
    const int n = along == Dimension::N ? start : 0, m = along == Dimension::M ? start : 0;
    const int p = along == Dimension::P ? start : 0;
    const auto put = [&](Operand operand, Factor& into, std::array<int, 2> corner) {
        const auto size = sizeOf(format, operand);
        place(first.factor(operand), sizeOf(first.format, operand), into, size, {0, 0}, 0);
        place(second.factor(operand), sizeOf(second.format, operand), into, size, corner, first.rank());
    };
    put(Operand::A, result.u, {n, m});
    put(Operand::B, result.v, {m, p});
    put(Operand::C, result.w, {n, p});
    return checkedScheme(std::move(result));
}

Result<Scheme> extended(const Scheme& scheme, Dimension along, int by)
{
    Format further = scheme.format;
    sizeAlong(further, along) = by;
    if (const auto checked = checkFormat(further); !checked)
        return std::unexpected(checked.error());
    Scheme rest = schoolbook(further);
    rest.ring = scheme.ring;
    auto result = directSum(scheme, rest, along);
    if (result)
        result->origin = scheme.origin;
    return result;
}

Scheme withoutEmptyProducts(const Scheme& scheme)
{
    std::vector<int> kept;
    for (int product = 0; product < scheme.rank(); ++product) {
        const auto isUsed = [&](const Factor& factor) {
            for (int entry = 0; entry < factor.entries(); ++entry)
                if (!factor.at(entry, product).isZero())
                    return true;
            return false;
        };
        if (isUsed(scheme.u) && isUsed(scheme.v) && isUsed(scheme.w))
            kept.push_back(product);
    }
    Scheme result = emptyScheme(scheme.format, scheme.ring, static_cast<int>(kept.size()));
    const std::array<std::pair<const Factor*, Factor*>, 3> factors{
        {{&scheme.u, &result.u}, {&scheme.v, &result.v}, {&scheme.w, &result.w}}};
    for (const auto& [from, to] : factors)
        for (int product = 0; product < result.rank(); ++product)
            for (int entry = 0; entry < from->entries(); ++entry)
                to->at(entry, product) = from->at(entry, kept[static_cast<std::size_t>(product)]);
    result.name = scheme.name;
    result.origin = scheme.origin;
    return result;
}

Result<Scheme> reducedMod2(const Scheme& scheme)
{
    Scheme odd = emptyScheme(scheme.format, Ring::Mod2, scheme.rank());
    odd.name = scheme.name;
    odd.origin = scheme.origin;
    const std::array<std::pair<const Factor*, Factor*>, 3> factors{
        {{&scheme.u, &odd.u}, {&scheme.v, &odd.v}, {&scheme.w, &odd.w}}};
    for (const auto& [from, to] : factors)
        for (int product = 0; product < scheme.rank(); ++product)
            for (int entry = 0; entry < from->entries(); ++entry) {
                const Coefficient& value = from->at(entry, product);
                if (!value.isReal() || value.den % 2 == 0)
                    return fail("tensor/mod2",
                        "the coefficient " + textOf(value) + " of product " + std::to_string(product + 1)
                            + " has no value modulo 2");
                to->at(entry, product) = Coefficient{value.re % 2 != 0 ? 1 : 0};
            }
    return checkedScheme(withoutEmptyProducts(odd));
}

} // namespace tilewright::tensor
