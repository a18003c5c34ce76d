// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/flip_polish.h"

#include "core/tensor/flip_walker.h"

#include <cmath>

namespace tilewright::tensor {

Mod2Scheme polished(const Mod2Scheme& scheme, std::uint64_t flips, std::uint64_t seed)
{
    constexpr double hottest = 3, coldest = 0.2; // nonzeros
    constexpr int cycles = 4;
    CounterRandom random(seed, 0x706f6c697368, 0);
    FlipWalker walker(scheme);
    Mod2Scheme best = walker.rank() < scheme.rank() ? walker.scheme() : scheme;
    int nonzeros = best.nonzeros(), fewest = nonzeros;
    for (std::uint64_t at = 0; at < flips; ++at) {
        const auto flip = walker.proposed(random);
        if (!flip)
            break;
        const double phase = std::fmod(static_cast<double>(at) * cycles / static_cast<double>(flips), 1.0);
        const double temperature = hottest * std::pow(coldest / hottest, phase);
        const int added = walker.nonzerosAdded(*flip);
        if (added > 0 && random.uniform() >= std::exp(-added / temperature))
            continue;
        if (walker.make(*flip)) { // the rank fell: that is worth more than any sparsity
            best = walker.scheme();
            nonzeros = fewest = best.nonzeros();
            continue;
        }
        nonzeros += added;
        if (nonzeros < fewest) {
            fewest = nonzeros;
            best = walker.scheme();
        }
    }
    return best;
}

} // namespace tilewright::tensor
