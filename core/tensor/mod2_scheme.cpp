// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/mod2_scheme.h"

#include <algorithm>

namespace tilewright::tensor {
namespace {

/// The two axes of each factor, smaller first: A is n×m, B is m×p, C is n×p.
constexpr std::array<std::array<int, 2>, 3> axesOfFactor{{{0, 1}, {1, 2}, {0, 2}}};

int factorOfAxes(int one, int other)
{
    const std::array<int, 2> wanted{std::min(one, other), std::max(one, other)};
    return static_cast<int>(std::ranges::find(axesOfFactor, wanted) - axesOfFactor.begin());
}

std::uint64_t transposedMask(std::uint64_t mask, int rows, int columns)
{
    std::uint64_t result = 0;
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
            if (mask >> (row * columns + column) & 1)
                result |= std::uint64_t(1) << (column * rows + row);
    return result;
}

} // namespace

int Mod2Scheme::nonzeros() const
{
    int count = 0;
    for (const Mod2Product& product : products)
        for (const std::uint64_t factor : product)
            count += std::popcount(factor);
    return count;
}

Mod2Scheme mod2Schoolbook(const Format& format)
{
    Mod2Scheme scheme{format, {}};
    const auto bit = [](int at) { return std::uint64_t(1) << at; };
    for (int i = 0; i < format.n; ++i)
        for (int j = 0; j < format.m; ++j)
            for (int k = 0; k < format.p; ++k)
                scheme.products.push_back({bit(i * format.m + j), bit(j * format.p + k), bit(i * format.p + k)});
    return scheme;
}

bool isExact(const Mod2Scheme& scheme)
{
    const auto [n, m, p] = scheme.format;
    if (!checkFormat(scheme.format))
        return false;
    for (int a = 0; a < n * m; ++a)
        for (int b = 0; b < m * p; ++b) {
            std::uint64_t sum = 0; // the entries of C that a·b adds to
            for (const Mod2Product& product : scheme.products)
                if (product[0] >> a & product[1] >> b & 1)
                    sum ^= product[2];
            const bool meet = a % m == b / p;
            if (sum != (meet ? std::uint64_t(1) << (a / m * p + b % p) : 0))
                return false;
        }
    return true;
}

bool isExactBeside(const Mod2Scheme& scheme, const std::vector<Mod2Product>& others)
{
    if (others.empty())
        return isExact(scheme);
    Mod2Scheme whole = scheme;
    whole.products.insert(whole.products.end(), others.begin(), others.end());
    return isExact(whole);
}

Mod2Scheme withAxes(const Mod2Scheme& scheme, const std::array<int, 3>& order)
{
    const std::array<int, 3> old = axesOf(scheme.format);
    Mod2Scheme result{{old[order[0]], old[order[1]], old[order[2]]}, scheme.products};
    for (int factor = 0; factor < 3; ++factor) {
        const int first = order[axesOfFactor[factor][0]], second = order[axesOfFactor[factor][1]];
        const int from = factorOfAxes(first, second);
        for (std::size_t r = 0; r < scheme.products.size(); ++r) {
            const std::uint64_t mask = scheme.products[r][from];
            result.products[r][factor] = first < second ? mask : transposedMask(mask, old[second], old[first]);
        }
    }
    return result;
}

std::array<int, 3> axesOf(const Format& format) { return {format.n, format.m, format.p}; }
Format formatOf(const std::array<int, 3>& axes) { return {axes[0], axes[1], axes[2]}; }

std::array<int, 3> sortedAxes(const Format& format)
{
    std::array<int, 3> order{0, 1, 2};
    std::ranges::stable_sort(order, {}, [axes = axesOf(format)](int axis) { return axes[axis]; });
    return order;
}

std::array<int, 3> inverseOrder(const std::array<int, 3>& order)
{
    std::array<int, 3> inverse{};
    for (int axis = 0; axis < 3; ++axis)
        inverse[order[axis]] = axis;
    return inverse;
}

Format sorted(const Format& format)
{
    std::array<int, 3> axes = axesOf(format);
    std::ranges::sort(axes);
    return {axes[0], axes[1], axes[2]};
}

Scheme schemeOf(const Mod2Scheme& scheme)
{
    Scheme result = emptyScheme(scheme.format, Ring::Mod2, scheme.rank());
    const std::array factors{&result.u, &result.v, &result.w};
    for (int r = 0; r < scheme.rank(); ++r)
        for (std::size_t factor = 0; factor < 3; ++factor)
            for (int entry = 0; entry < factors[factor]->entries(); ++entry)
                if (scheme.products[static_cast<std::size_t>(r)][factor] >> entry & 1)
                    factors[factor]->at(entry, r).re = 1;
    return result;
}

Result<Mod2Scheme> mod2Of(const Scheme& scheme)
{
    if (scheme.ring != Ring::Mod2)
        return fail("tensor/ring", "the scheme is over " + nameIn(ringNames, scheme.ring) + ", not over Z2",
            "reduce it modulo 2 first");
    if (const auto checked = checkScheme(scheme); !checked)
        return std::unexpected(checked.error());
    Mod2Scheme result{scheme.format, std::vector<Mod2Product>(static_cast<std::size_t>(scheme.rank()))};
    const std::array factors{&scheme.u, &scheme.v, &scheme.w};
    for (int r = 0; r < scheme.rank(); ++r)
        for (std::size_t factor = 0; factor < 3; ++factor)
            for (int entry = 0; entry < factors[factor]->entries(); ++entry)
                if (!factors[factor]->at(entry, r).isZero())
                    result.products[static_cast<std::size_t>(r)][factor] |= std::uint64_t(1) << entry;
    return result;
}

Mod2Scheme inOrder(Mod2Scheme scheme)
{
    std::ranges::sort(scheme.products);
    return scheme;
}

} // namespace tilewright::tensor
