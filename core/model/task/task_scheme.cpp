// SPDX-License-Identifier: Apache-2.0
#include "core/model/task/task_scheme.h"

#include <algorithm>
#include <cmath>

namespace tilewright {
namespace {

constexpr double coefficientUnit = 1.0 / 65536, largestCoefficient = 65536;

__extension__ using WideInteger = __int128; // 1024 products of three numbers below 2^33 are below 2^109

/// The coefficient in units of 2^-16.
std::int64_t scaled(double coefficient) { return static_cast<std::int64_t>(coefficient / coefficientUnit); }

std::string entryText(char matrix, int entry, int columns)
{
    const std::string separator = columns > 9 || entry / columns >= 9 ? "_" : "";
    return matrix + std::to_string(entry / columns + 1) + separator + std::to_string(entry % columns + 1);
}

/// A sum of scaled coefficients as a number.
std::string sumText(WideInteger sum)
{
    const double value = static_cast<double>(sum) * coefficientUnit * coefficientUnit * coefficientUnit;
    std::string text = std::to_string(value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.'))
        text.pop_back();
    return text;
}

double oneNorm(const std::vector<double>& column)
{
    double sum = 0;
    for (const double value : column)
        sum += std::abs(value);
    return sum;
}

int termsOf(const std::vector<double>& column)
{
    return static_cast<int>(column.size() - static_cast<std::size_t>(std::ranges::count(column, 0.0)));
}

/// E and Q of schemeGrowth().
struct LevelError {
    double growth = 0, roundings = 0;
};

LevelError levelErrorOf(const TaskScheme& scheme)
{
    LevelError error;
    for (std::size_t k = 0; k < static_cast<std::size_t>(scheme.n * scheme.p); ++k) {
        double growth = 0;
        int terms = 0, deepest = 0;
        for (std::size_t r = 0; r < scheme.w.size(); ++r) {
            if (scheme.w[r][k] == 0)
                continue;
            growth += std::abs(scheme.w[r][k]) * oneNorm(scheme.u[r]) * oneNorm(scheme.v[r]);
            deepest = std::max(deepest, termsOf(scheme.u[r]) + termsOf(scheme.v[r]));
            ++terms;
        }
        error.growth = std::max(error.growth, growth);
        error.roundings = std::max(error.roundings, static_cast<double>(deepest + terms));
    }
    return error;
}

} // namespace

bool isSchemeCoefficient(double value)
{
    return std::abs(value) <= largestCoefficient && std::floor(value / coefficientUnit) == value / coefficientUnit;
}

std::string objectionTo(const TaskScheme& scheme)
{
    const int a = scheme.n * scheme.m, b = scheme.m * scheme.p, c = scheme.n * scheme.p;
    const auto place = [&](int i, int j, int k) { return static_cast<std::size_t>((k * a + i) * b + j); };
    const auto at = [](const std::vector<double>& column, int entry) {
        return WideInteger(scaled(column[static_cast<std::size_t>(entry)]));
    };
    std::vector<WideInteger> sums(
        static_cast<std::size_t>(a) * static_cast<std::size_t>(b) * static_cast<std::size_t>(c));
    for (std::size_t r = 0; r < scheme.u.size(); ++r)
        for (int i = 0; i < a; ++i) {
            if (at(scheme.u[r], i) == 0)
                continue;
            for (int j = 0; j < b; ++j) {
                const WideInteger product = at(scheme.u[r], i) * at(scheme.v[r], j);
                if (product == 0)
                    continue;
                for (int k = 0; k < c; ++k)
                    sums[place(i, j, k)] += product * at(scheme.w[r], k);
            }
        }
    const WideInteger one = WideInteger(1) << 48;
    for (int k = 0; k < c; ++k)
        for (int i = 0; i < a; ++i)
            for (int j = 0; j < b; ++j) {
                const bool belongs
                    = i % scheme.m == j / scheme.p && i / scheme.m == k / scheme.p && j % scheme.p == k % scheme.p;
                if (const WideInteger sum = sums[place(i, j, k)]; sum != (belongs ? one : WideInteger(0)))
                    return entryText('a', i, scheme.m) + "·" + entryText('b', j, scheme.p) + " in "
                        + entryText('c', k, scheme.p) + " is " + sumText(sum) + ", not " + (belongs ? "1" : "0");
            }
    return {};
}

double schemeGrowth(const TaskScheme& scheme, std::int64_t depth)
{
    const LevelError level = levelErrorOf(scheme);
    const double whole = static_cast<double>(std::max<std::int64_t>(1, depth));
    double largest = 1, leaf = whole;
    for (int levels = 1; levels <= scheme.levels; ++levels) {
        leaf = std::ceil(leaf / scheme.m);
        if (leaf < leastLeafDepth)
            break;
        // From the innermost level outwards; padding with zeros makes a block at most as deep as the rounded-up
        // quotient.
        double bound = leaf * leaf;
        for (int inner = levels; inner >= 1; --inner)
            bound = level.growth * (bound + level.roundings * std::ceil(whole / std::pow(scheme.m, inner)));
        largest = std::max(largest, bound / (whole * whole));
    }
    return largest;
}

double leastWorkShare(const TaskScheme& scheme)
{
    return std::pow(static_cast<double>(scheme.rank()) / scheme.naiveRank(), scheme.levels);
}

} // namespace tilewright
