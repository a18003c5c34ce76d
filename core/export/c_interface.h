// SPDX-License-Identifier: GPL-3.0-or-later
// What the plain C interfaces of exported programs, and the code that calls them, share. Pure.
#pragma once

#include "core/model/task/task.h"

#include <string>
#include <utility>
#include <vector>

namespace tilewright {

/// Alignment of every buffer in bytes, as the contract of CPU tasks has it.
inline constexpr int interfaceAlignment = 64;

/// "gemm-fp32-cpu" → "gemm_fp32_cpu": what the names of the interface begin with.
std::string interfacePrefix(const Task& task);

/// The same of CUDA tasks.
inline constexpr int cudaInterfaceAlignment = 256;

/// The text with each name between @ replaced, in this order.
std::string filledTemplate(std::string text, const std::vector<std::pair<std::string, std::string>>& values);

/// "const float* A, const float* B, float* C".
std::string interfaceParameters(const Task& task);
/// "A, B, C".
std::string interfaceArguments(const Task& task);
/// What the header's comment says of the operation, its dimensions and its tensors.
std::string interfaceDescription(const Task& task);
/// The dimensions' members of the struct, and the limits that they keep to, as a condition over `dims`.
std::string interfaceDims(const Task& task);
std::string interfaceLimits(const Task& task);

} // namespace tilewright
