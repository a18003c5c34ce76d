// SPDX-License-Identifier: GPL-3.0-or-later
// What doctor makes of a machine's GPUs, their driver and the CUDA toolkit, and of what a task or a device lacks. Pure:
// what was found in, words out.
#pragma once

#include "core/base/result.h"
#include "core/node/gpu_process.h"
#include "core/node/gpu_tool_output.h"

#include <optional>
#include <string>
#include <vector>

namespace tilewright::cli {

struct Finding {
    std::string what;
    bool found = false;
    bool needed = false;
    std::string detail; ///< what was found, or what its absence costs
    nlohmann::json device
        = nullptr; ///< of a GPU, for programs: id, uuid, index, name, architecture, multiprocessors, memory_bytes
};

/// The GPUs one by one, or why there is none.
std::vector<Finding> gpuFindings(const GpuListing& listing);
/// The driver as NVML or the kernel tells it; where neither does (a container may lack both), as its own library does.
Finding driverFinding(const std::optional<DriverFacts>& facts, const GpuListing& listing);
/// Words on an NVRTC that is newer than this driver; "" where it is not.
std::string wordsOnNvrtc(
    const std::string& nvrtcFile, const std::optional<DriverFacts>& facts, const GpuListing& listing);

/// What measuring on a device needs beyond what every task does: "a GPU", "a CUDA toolkit". `device` as --device takes
/// it; empty: any GPU.
std::vector<std::string> lackedByGpuTasks(const std::vector<Finding>& findings, const std::string& device);

// Whether this machine's node has a device, asked before anything is made for it.

/// Starts the node, looks at its greeting and ends it. Errors: device/missing, device/mixed, node/missing.
Result<void> checkDevice(const std::string& device);

} // namespace tilewright::cli
