// SPDX-License-Identifier: Apache-2.0
// A kernel whose result is known beforehand: it runs between programs and tells whether the GPU and the worker's
// context still compute. Integers, single precision where it is exact, shared memory and atomics, on every
// multiprocessor.
#pragma once

#include <cstdint>
#include <vector>

namespace tilewright {

constexpr unsigned canaryThreads = 256; ///< of a block

/// Stands beside the other kernels of Tilewright's own, in one module with them.
constexpr const char* gpuCanaryText = R"cuda(
__device__ unsigned long long tw_spread(unsigned long long x)
{
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

extern "C" __global__ void tw_canary(unsigned long long seed, unsigned long long* digest)
{
    __shared__ unsigned long long words[256];
    words[threadIdx.x] = tw_spread(seed + blockIdx.x * 256 + threadIdx.x);
    __syncthreads();
    const unsigned long long x = words[threadIdx.x] ^ words[(threadIdx.x * 37 + 11) & 255];
    const float exact = fmaf((float)(x & 4095), (float)(x >> 12 & 4095), (float)(x >> 24 & 4095));
    atomicAdd(digest, tw_spread(x + (unsigned long long)exact));
}
)cuda";

/// The same by the host: what so many blocks give for this seed.
inline std::uint64_t canaryDigest(std::uint64_t seed, unsigned blocks)
{
    const auto spread = [](std::uint64_t x) {
        x += 0x9e3779b97f4a7c15ull;
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
        return x ^ (x >> 31);
    };
    std::uint64_t digest = 0;
    std::vector<std::uint64_t> words(canaryThreads);
    for (unsigned block = 0; block < blocks; ++block) {
        for (unsigned thread = 0; thread < canaryThreads; ++thread)
            words[thread] = spread(seed + block * canaryThreads + thread);
        for (unsigned thread = 0; thread < canaryThreads; ++thread) {
            const std::uint64_t x = words[thread] ^ words[(thread * 37 + 11) & (canaryThreads - 1)];
            const std::uint64_t exact = (x & 4095) * (x >> 12 & 4095) + (x >> 24 & 4095); // below 2^24
            digest += spread(x + exact);
        }
    }
    return digest;
}

} // namespace tilewright
