// SPDX-License-Identifier: GPL-3.0-or-later
// One GPU among those that the driver knows.
#pragma once

#include "core/worker/cuda/driver.h"

namespace tilewright {

/// "GPU-…", as nvidia-smi writes it.
std::string gpuUuid(const cu::Driver& driver, cu::Device device);
/// Errors: device/lost.
Result<cu::Device> gpuNamed(const cu::Driver& driver, const std::string& uuid);
/// Makes its primary context the current one.
Result<void> enterGpu(const cu::Driver& driver, cu::Device device);

} // namespace tilewright
