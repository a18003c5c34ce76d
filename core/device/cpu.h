// SPDX-License-Identifier: Apache-2.0
// Facts about this machine's processor, read from the kernel.
#pragma once

#include "core/device/cuda.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright {

struct CpuFacts {
    std::string model; ///< "AMD EPYC"
    std::string microarchitecture; ///< "Zen 4"; "" unknown
    std::vector<std::string> features; ///< the vector extensions a kernel author asks about: avx2 fma avx512f …
    int cores = 1; ///< usable by this process
    std::int64_t l1dBytes = 0, l2Bytes = 0, l3Bytes = 0; ///< seen by one core; 0 unknown
    std::int64_t memoryBytes = 0;
};

CpuFacts readCpuFacts();

// Names of x86 micro-architectures by what CPUID tells: family and model, as the vendors' optimisation manuals and the
// Linux kernel (arch/x86/include/asm/intel-family.h, arch/x86/kernel/cpu/amd.c) list them. Pure.

/// "Zen 4", "Sapphire Rapids"; "" for one that is not known here. vendor: as /proc/cpuinfo writes it.
std::string microarchitectureOf(const std::string& vendor, int family, int model);

// One GPU whose facts are known without having it.

/// What CUDA 13 tells of an NVIDIA H200, but for its UUID, its memory and its driver: enough to compile for Hopper
/// where there is no GPU.
CudaFacts h200Facts();

} // namespace tilewright
