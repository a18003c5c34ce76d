// SPDX-License-Identifier: Apache-2.0
// Facts about an NVIDIA GPU and what follows from them by arithmetic: occupancy, and the shortest time that a shape can
// honestly take. Pure.
#pragma once

#include <cstdint>
#include <string>

namespace tilewright {

struct CudaFacts {
    std::string uuid; ///< "GPU-…"
    std::string name;
    int major = 0, minor = 0; ///< compute capability
    int sms = 0;
    std::int64_t memoryBytes = 0, l2Bytes = 0;
    int sharedPerBlock = 0; ///< with opt-in
    int sharedPerSm = 0, reservedSharedPerBlock = 0;
    int registersPerSm = 0, threadsPerSm = 0, blocksPerSm = 0;
    int clockKhz = 0, memoryClockKhz = 0, memoryBusBits = 0;
    bool pageableAccess = false; ///< device code can read the process's own memory
    bool kernelTimeout = false; ///< a display's watchdog ends long kernels
    std::string driver; ///< "13.0": newest CUDA version that the driver knows

    bool operator==(const CudaFacts&) const = default;

    /// "sm_90a" where the architecture has features of its own, else "sm_89".
    std::string architecture() const;
    /// Bytes a second between memory and chip, by the data sheet's arithmetic: bus width × memory clock × 2.
    double bandwidth() const;
    /// Operations a second in fp32 without tensor cores: 2 × lanes × multiprocessors × clock.
    double fp32Peak() const;
    /// The same on tensor cores for bf16 in and fp32 sums, dense; where it is unknown, that of the fastest one known.
    double bf16Peak() const;
};

/// What one kernel takes of a multiprocessor.
struct KernelNeeds {
    int registers = 0; ///< of a thread
    int threads = 0; ///< of a block
    std::int64_t sharedBytes = 0; ///< of a block, static and dynamic
};

struct Occupancy {
    int blocks = 0; ///< on a multiprocessor
    double warps = 0; ///< fraction of the multiprocessor's warps
    std::string limit; ///< registers | shared | threads | blocks
};

/// CUDA C++ Programming Guide, compute capabilities: registers go to warps in steps of 256, warps to blocks in fours.
Occupancy occupancyOf(const CudaFacts& facts, const KernelNeeds& needs);

/// 0.9 × max(bytes / bandwidth, operations / peak), in ns; EVALUATION §4.
double rooflineNs(double flops, double bytes, double peakFlops, double bandwidth);

} // namespace tilewright
