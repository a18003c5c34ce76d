// SPDX-License-Identifier: Apache-2.0
#include "core/node/inputs.h"

#include "core/base/random.h"
#include "core/node/vectorised.h"

#include <bit>

namespace tilewright {
namespace {

/// Bit mixing with low bias (Wellons, "lowbias32"): independent for neighbouring counters.
inline std::uint32_t mixed(std::uint32_t x)
{
    x ^= x >> 16;
    x *= 0x21f0aaadu;
    x ^= x >> 15;
    x *= 0x735a2d97u;
    return x ^ (x >> 15);
}

TILEWRIGHT_VECTORISED void fillBell(float* values, std::int64_t count, std::uint32_t seed, std::uint32_t salt)
{
    for (std::int64_t i = 0; i < count; ++i) {
        const std::uint32_t bits = mixed(static_cast<std::uint32_t>(i) + seed);
        const std::uint32_t fine = mixed(bits ^ salt);
        const auto sum = static_cast<float>((bits & 0xff) + (bits >> 8 & 0xff) + (bits >> 16 & 0xff) + (bits >> 24));
        // Four uniform bytes: mean 510, standard deviation 147.8; the fine part fills the gaps between the sums.
        values[i] = (sum - 510.5f + static_cast<float>(fine >> 8) * 0x1.0p-24f) * (1 / 147.8f);
    }
}

TILEWRIGHT_VECTORISED std::uint64_t sumOfMixed(const float* values, std::int64_t count)
{
    std::uint64_t sum = 0;
    for (std::int64_t i = 0; i < count; ++i)
        sum += mixed(std::bit_cast<std::uint32_t>(values[i]) + static_cast<std::uint32_t>(i) * 0x9e3779b9u);
    return sum;
}

} // namespace

void fillInput(std::span<float> values, InputKind kind, int tensor, std::uint64_t seed)
{
    CounterRandom random(seed, static_cast<std::uint64_t>(tensor), static_cast<std::uint64_t>(kind));
    for (float& value : values) {
        switch (kind) {
        case InputKind::Normal:
            value = static_cast<float>(random.normal());
            break;
        case InputKind::Scaled:
            value = static_cast<float>(random.normal() * (tensor == 0 ? 1e-3 : 64.0));
            break;
        case InputKind::Mixed:
            value = static_cast<float>(std::exp(random.normal()) * (random.below(2) ? 1 : -1));
            break;
        case InputKind::Integer:
            value = static_cast<float>(static_cast<int>(random.below(5)) - 2);
            break;
        }
    }
}

void fillQuickly(std::span<float> values, std::uint64_t seed)
{
    fillBell(values.data(), static_cast<std::int64_t>(values.size()), static_cast<std::uint32_t>(seed),
        static_cast<std::uint32_t>(seed >> 32) | 1);
}

std::uint64_t digestOf(std::span<const float> values)
{
    return sumOfMixed(values.data(), static_cast<std::int64_t>(values.size()));
}

} // namespace tilewright
