// SPDX-License-Identifier: GPL-3.0-or-later
// One GPU whose facts are known without having it.
#pragma once

#include "core/device/cuda.h"

namespace tilewright {

/// What CUDA 13 tells of an NVIDIA H200, but for its UUID, its memory and its driver: enough to compile for Hopper
/// where there is no GPU.
CudaFacts h200Facts();

} // namespace tilewright
