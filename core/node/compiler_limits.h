// SPDX-License-Identifier: GPL-3.0-or-later
// What a compiler may use of this machine, of whatever language: text that nobody has looked at makes it grow.
#pragma once

#include "core/base/result.h"

#include <chrono>

namespace tilewright {

inline constexpr std::size_t mostCompilerMemory = std::size_t(3) << 30;

/// A share of what is free, so that one that grows without end is stopped by its own limit and not by the system, which
/// might choose another process. Errors: machine/memory where that is too little to compile anything.
Result<std::size_t> memoryForACompiler();

/// Of a compiler that may take this long: work that it does in several threads at once counts as well.
std::chrono::seconds processorTimeFor(double seconds);

} // namespace tilewright
