// SPDX-License-Identifier: GPL-3.0-or-later
// Facts about this machine's processor, read from the kernel.
#pragma once

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

} // namespace tilewright
