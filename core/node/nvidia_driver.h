// SPDX-License-Identifier: GPL-3.0-or-later
// The NVIDIA driver of this machine as NVML tells it, loaded at run time; without NVML, as the kernel's module does.
#pragma once

#include <optional>
#include <string>

namespace tilewright {

struct DriverFacts {
    std::string version; ///< "580.159.03"
    std::string cuda; ///< "13.0", the newest CUDA that it knows; empty where NVML is missing
};
/// Nothing where no driver is loaded.
std::optional<DriverFacts> readDriverFacts();

} // namespace tilewright
