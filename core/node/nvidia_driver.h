// SPDX-License-Identifier: GPL-3.0-or-later
// The NVIDIA driver of this machine as NVML tells it, loaded at run time; without NVML, as the kernel's module does.
#pragma once

#include "core/base/result.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tilewright {

struct DriverFacts {
    std::string version; ///< "580.159.03"
    std::string cuda; ///< "13.0", the newest CUDA that it knows; empty where NVML is missing
};
/// Nothing where no driver is loaded.
std::optional<DriverFacts> readDriverFacts();

/// What a person or a batch system says of which GPUs a program may see, as it stands in this process's environment:
/// CUDA_VISIBLE_DEVICES and what goes with it. Every process that uses the driver is given it.
std::vector<std::pair<std::string, std::string>> gpuVisibility();
/// Why there is no GPU, where that may be why; else the error as it is.
Error withVisibility(Error noGpu);

} // namespace tilewright
