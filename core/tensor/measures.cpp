// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/measures.h"

#include "core/base/hash.h"

#include <algorithm>
#include <cmath>

namespace tilewright::tensor {
namespace {

constexpr std::array operands{Operand::A, Operand::B, Operand::C};

int nonzerosOf(const Factor& factor)
{
    return static_cast<int>(
        std::ranges::count_if(factor.values(), [](const Coefficient& value) { return !value.isZero(); }));
}

double columnNorm(const Factor& factor, int product)
{
    double sum = 0;
    for (int entry = 0; entry < factor.entries(); ++entry)
        sum += magnitudeOf(factor.at(entry, product));
    return sum;
}

} // namespace

int nonzerosOf(const Scheme& scheme) { return nonzerosOf(scheme.u) + nonzerosOf(scheme.v) + nonzerosOf(scheme.w); }

int naiveAdditionsOf(const Scheme& scheme)
{
    int additions = 0;
    for (const Factor* factor : {&scheme.u, &scheme.v})
        for (int product = 0; product < factor->products(); ++product) {
            int terms = 0;
            for (int entry = 0; entry < factor->entries(); ++entry)
                terms += factor->at(entry, product).isZero() ? 0 : 1;
            additions += std::max(terms - 1, 0);
        }
    for (int entry = 0; entry < scheme.w.entries(); ++entry) {
        int terms = 0;
        for (int product = 0; product < scheme.w.products(); ++product)
            terms += scheme.w.at(entry, product).isZero() ? 0 : 1;
        additions += std::max(terms - 1, 0);
    }
    return additions;
}

double growthFactorOf(const Scheme& scheme)
{
    double largest = 0;
    std::vector<double> norms;
    for (int product = 0; product < scheme.rank(); ++product)
        norms.push_back(columnNorm(scheme.u, product) * columnNorm(scheme.v, product));
    for (int entry = 0; entry < scheme.w.entries(); ++entry) {
        double sum = 0;
        for (int product = 0; product < scheme.rank(); ++product)
            sum += magnitudeOf(scheme.w.at(entry, product)) * norms[static_cast<std::size_t>(product)];
        largest = std::max(largest, sum);
    }
    return largest;
}

std::optional<double> exponentOf(const Format& format, int rank)
{
    if (format.naiveRank() < 2)
        return std::nullopt;
    return 3 * std::log(static_cast<double>(rank)) / std::log(static_cast<double>(format.naiveRank()));
}

std::optional<double> exponentOf(const Scheme& scheme) { return exponentOf(scheme.format, scheme.rank()); }

bool isTernary(const Scheme& scheme)
{
    return std::ranges::all_of(operands, [&](Operand operand) {
        return std::ranges::all_of(
            scheme.factor(operand).values(), [](const Coefficient& value) { return value.isZero() || value.isUnit(); });
    });
}

double largestCoefficientOf(const Scheme& scheme)
{
    double largest = 0;
    for (const Operand operand : operands)
        for (const Coefficient& value : scheme.factor(operand).values())
            largest = std::max(largest, magnitudeOf(value));
    return largest;
}

std::string fingerprintOf(const Scheme& scheme)
{
    std::string text = textOf(scheme.format) + ' ' + nameIn(ringNames, scheme.ring);
    for (const Factor* factor : {&scheme.u, &scheme.v, &scheme.w})
        for (const Coefficient& value : factor->values())
            text += ' ' + textOf(value);
    return sha256(text).hex();
}

} // namespace tilewright::tensor
