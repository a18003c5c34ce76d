// SPDX-License-Identifier: Apache-2.0
// Counter-based randomness: the same (seed, stream, ordinal) gives the same draws on every machine and in every order
// of completion. SplitMix64 (Steele, Lea, Flood, OOPSLA 2014) over a mixed starting point.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

namespace tilewright {

class CounterRandom
{
public:
    CounterRandom(std::uint64_t seed, std::uint64_t stream, std::uint64_t ordinal)
        : m_state(mix(mix(mix(seed) ^ (stream + 0x9e3779b97f4a7c15u)) ^ (ordinal + 0xd1b54a32d192ed03u)))
    {
    }

    std::uint64_t next() { return mix(m_state += 0x9e3779b97f4a7c15u); }
    /// Uniform in [0, 1).
    double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
    /// Uniform in [0, count); 0 for count 0.
    std::uint64_t below(std::uint64_t count) { return count == 0 ? 0 : next() % count; }
    /// Standard normal (Box and Muller 1958).
    double normal()
    {
        const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
        return radius * std::cos(2.0 * std::numbers::pi * uniform());
    }

private:
    static std::uint64_t mix(std::uint64_t z)
    {
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }

    std::uint64_t m_state;
};

} // namespace tilewright
