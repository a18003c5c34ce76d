// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/best_known.h"

#include <algorithm>
#include <array>

namespace tilewright::tensor {
namespace {

constexpr std::string_view fromCatalogue
    = "FastMatrixMultiplication README and ternary_flip_graph known_ranks.cpp (Perminov), July 2026";
constexpr std::string_view fromAlphaTensor = "AlphaTensor, factorizations_f2.npz (Fawzi et al., Nature 2022)";
constexpr std::string_view fromAlphaEvolve = "AlphaEvolve, mathematical_results.ipynb (Novikov et al., 2025)";
constexpr std::string_view fromFlips = "github.com/jakobmoosbauer/flips, solutions (Kauers, Moosbauer, 2022)";
constexpr std::string_view fromAdaptive = "Arai, Ichikawa, Hukushima, Adaptive flip graph algorithm, arXiv 2312.16960";
constexpr std::string_view fromSymmetric = "Moosbauer, Poole, Flip graphs with symmetry, arXiv 2502.04514";

struct BestKnownRow {
    std::array<int, 3> format; ///< sorted
    BestKnown z2, z, q;
};

constexpr BestKnownRow inEveryRing(int n, int m, int p, int rank, std::string_view source = fromCatalogue)
{
    return {{n, m, p}, {rank, source}, {rank, source}, {rank, source}};
}

constexpr std::array bestKnownRows{
    inEveryRing(2, 2, 2, 7, "Strassen, Gaussian elimination is not optimal, 1969"),
    inEveryRing(2, 2, 3, 11),
    inEveryRing(2, 2, 4, 14),
    inEveryRing(2, 2, 5, 18),
    inEveryRing(2, 3, 3, 15),
    inEveryRing(2, 3, 4, 20),
    inEveryRing(2, 3, 5, 25),
    inEveryRing(2, 4, 4, 26),
    BestKnownRow{{2, 4, 5}, {33, fromCatalogue}, {33, fromCatalogue}, {32, fromAlphaEvolve}},
    inEveryRing(2, 5, 5, 40),
    inEveryRing(3, 3, 3, 23),
    inEveryRing(3, 3, 4, 29),
    inEveryRing(3, 3, 5, 36),
    inEveryRing(3, 4, 4, 38),
    inEveryRing(3, 4, 5, 47),
    inEveryRing(3, 5, 5, 58),
    BestKnownRow{{4, 4, 4}, {47, fromAlphaTensor}, {49, fromCatalogue}, {48, fromAlphaEvolve}},
    BestKnownRow{{4, 4, 5}, {60, fromFlips}, {61, fromAlphaEvolve}, {61, fromAlphaEvolve}},
    BestKnownRow{{4, 5, 5}, {73, fromAdaptive}, {76, fromCatalogue}, {76, fromCatalogue}},
    inEveryRing(5, 5, 5, 93, fromSymmetric),
};

} // namespace

std::optional<BestKnown> bestKnown(const Format& format, Ring ring)
{
    std::array<int, 3> wanted{format.n, format.m, format.p};
    std::ranges::sort(wanted);
    const auto row = std::ranges::find(bestKnownRows, wanted, &BestKnownRow::format);
    if (row == bestKnownRows.end())
        return std::nullopt;
    switch (ring) {
    case Ring::Mod2:
        return row->z2;
    case Ring::Integers:
        return row->z;
    case Ring::Rationals:
    case Ring::Gaussian:
        return row->q;
    }
    return std::nullopt;
}

} // namespace tilewright::tensor
