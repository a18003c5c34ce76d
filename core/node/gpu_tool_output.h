// SPDX-License-Identifier: Apache-2.0
// What NVIDIA's tools print about a program, as far as it is used here. Pure: text in, findings out; the texts are
// third parties' and change between releases, so that what is not understood is said to be so.
#pragma once

#include "core/base/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilewright {

/// What compute-sanitizer's memcheck found.
struct MemcheckFinding {
    std::string what; ///< "Invalid __global__ read of size 4 bytes"
    std::string where; ///< "gemm(Args)+0x1b0, thread (0,0,0) in block (3,0,0)"; as far as it is told
    int errors = 0; ///< in all
};
/// Nothing when it ran to its end and found nothing. Errors: tool/output when it does not say that it did, or
/// names no error.
Result<std::optional<MemcheckFinding>> readMemcheck(std::string_view output);

/// Counters of one launch as ncu measured them.
struct LaunchCounters {
    std::string kernel;
    std::vector<std::pair<std::string, double>> values; ///< by metric, in the unit that follows
    std::vector<std::string> units;

    nlohmann::json json() const; ///< {"kernel","counters":[{"name","value","unit"}]}
};
/// The metrics that are known: time, use of the arithmetic units, of memory and caches, of warp slots and of shared
/// memory's banks, and what warps wait for.
const std::vector<std::string>& counterNames();
/// Those that a GPU of this compute capability (9 is 9.x) has, by NVIDIA's lists.
std::vector<std::string> counterNamesOf(int major);
/// The few that every GPU has: for a profiler that does not know one of the others and counts nothing then.
std::vector<std::string> commonCounterNames();
/// From `ncu --csv --page raw`: lines of its own first, then a header, a line of units, and one line a launch.
/// Errors: tool/permission (the driver lets only administrators read counters), tool/output.
Result<std::vector<LaunchCounters>> readCounters(std::string_view output);

// The NVIDIA driver of this machine as NVML tells it, loaded at run time; without NVML, as the kernel's module does.

struct DriverFacts {
    std::string version; ///< "580.159.03"
    std::string cuda; ///< "13.0", the newest CUDA that it knows; empty where NVML is missing
};
/// Nothing where no driver is loaded.
std::optional<DriverFacts> readDriverFacts();

/// What a user or a batch system says of which GPUs a program may see, as it stands in this process's environment:
/// CUDA_VISIBLE_DEVICES and what goes with it. Every process that uses the driver is given it.
std::vector<std::pair<std::string, std::string>> gpuVisibility();
/// Why there is no GPU, where that may be why; else the error as it is.
Error withVisibility(Error noGpu);

} // namespace tilewright
