// SPDX-License-Identifier: Apache-2.0
#include "core/device/cuda.h"

#include <algorithm>

namespace tilewright {
namespace {

constexpr int lanesOfWarp = 32, registerStep = 256, warpStep = 4, sharedStep = 128;

std::int64_t roundedUp(std::int64_t value, std::int64_t step) { return (value + step - 1) / step * step; }

/// fp32 lanes of a multiprocessor, by compute capability.
int lanesPerSm(int major, int minor) { return major == 8 && minor == 0 ? 64 : major == 7 || major == 6 ? 64 : 128; }

/// Operations of a multiprocessor in one clock, from NVIDIA's white papers and data sheets of each generation.
int bf16OperationsPerSm(int major, int minor)
{
    if (major == 8)
        return minor == 0 ? 2048 : 1024;
    return major == 9 ? 4096 : 8192;
}

} // namespace

std::string CudaFacts::architecture() const
{
    return "sm_" + std::to_string(10 * major + minor) + (major >= 9 ? "a" : "");
}

double CudaFacts::bandwidth() const { return 2.0 * memoryClockKhz * 1e3 * memoryBusBits / 8; }

double CudaFacts::fp32Peak() const { return 2.0 * lanesPerSm(major, minor) * sms * clockKhz * 1e3; }

double CudaFacts::bf16Peak() const { return 1.0 * bf16OperationsPerSm(major, minor) * sms * clockKhz * 1e3; }

Occupancy occupancyOf(const CudaFacts& facts, const KernelNeeds& needs)
{
    Occupancy occupancy;
    if (needs.threads <= 0 || facts.threadsPerSm <= 0)
        return occupancy;
    const std::int64_t warps = roundedUp(needs.threads, lanesOfWarp) / lanesOfWarp;
    const std::int64_t registersOfWarp = roundedUp(std::max(1, needs.registers) * lanesOfWarp, registerStep);
    const std::int64_t warpsByRegisters = facts.registersPerSm / registersOfWarp / warpStep * warpStep;
    const std::int64_t shared = roundedUp(needs.sharedBytes + facts.reservedSharedPerBlock, sharedStep);
    const std::pair<std::int64_t, const char*> limits[]
        = {{warpsByRegisters / warps, "registers"}, {shared > 0 ? facts.sharedPerSm / shared : 1 << 20, "shared"},
            {facts.threadsPerSm / lanesOfWarp / warps, "threads"}, {facts.blocksPerSm, "blocks"}};
    const auto& least = *std::ranges::min_element(limits, {}, [](const auto& limit) { return limit.first; });
    occupancy.blocks = static_cast<int>(least.first);
    occupancy.limit = least.second;
    occupancy.warps
        = static_cast<double>(occupancy.blocks * warps) / (static_cast<double>(facts.threadsPerSm) / lanesOfWarp);
    return occupancy;
}

double rooflineNs(double flops, double bytes, double peakFlops, double bandwidth)
{
    const double computing = peakFlops > 0 ? flops / peakFlops : 0, moving = bandwidth > 0 ? bytes / bandwidth : 0;
    return 0.9e9 * std::max(computing, moving);
}

} // namespace tilewright
