// SPDX-License-Identifier: GPL-3.0-or-later
// Names that the plain C interface of an exported CPU program and the code that calls it share. Pure.
#pragma once

#include "core/model/task/task.h"

#include <string>

namespace tilewright {

/// Alignment of every buffer in bytes, as the contract of CPU tasks has it.
inline constexpr int interfaceAlignment = 64;

/// "gemm-fp32-cpu" → "gemm_fp32_cpu": what the names of the interface begin with.
std::string interfacePrefix(const Task& task);

} // namespace tilewright
