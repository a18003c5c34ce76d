// SPDX-License-Identifier: GPL-3.0-or-later
// How a user's file launches a CUDA kernel: grid, block and shared memory as expressions over the kernel's own sizes,
// read off `kernel<<<grid, block, shared>>>(…)` and what stands in front of it. What cannot be read is said. Pure.
#pragma once

#include "core/base/expression.h"
#include "core/pack/kernel_signature.h"

#include <functional>

namespace tilewright {

/// Expressions in C++ over the dimensions, constants of the file, ceil_div(a, b) and sizeof; up to three each.
struct KernelLaunch {
    std::vector<std::string> grid, block;
    std::string shared; ///< bytes of dynamic shared memory; "" for none

    bool isSaid() const { return !grid.empty() && !block.empty(); }
    bool operator==(const KernelLaunch&) const = default;
};

struct FoundLaunch {
    KernelLaunch launch;
    int line = 0; ///< 0: the file holds no launch of it
    int others = 0; ///< launches behind this one
    std::string trouble; ///< why a part of it cannot be read; that part is empty
};
/// Instances of templates that the text launches: "gemm<64>" for gemm<64><<<…>>>(…) and for gemm<TILE>, where the
/// launching function says what TILE is.
std::vector<KernelFunction> launchedInstancesOf(
    const std::string& source, const Macros& predefined = builtinMacros(true));
/// The first launch of that kernel in the text.
FoundLaunch launchOf(const std::string& source, const KernelFunction& kernel);

/// "ceil_div(n, 256), rows" → its parts.
std::vector<std::string> expressionParts(std::string_view text);
/// Whole numbers that the text gives a name to for good: "#define BLOCK 256", "constexpr int TILE = 4 * BLOCK, TWO =
/// 2;", "enum { KH = 3, KW };".
Symbols constantsOf(const std::string& source);
/// Value of such an expression. Errors: those of evaluate().
Result<double> launchValue(const std::string& expression, const Symbols& symbols);
/// Every name in it passed through `change`.
std::string withNames(const std::string& expression, const std::function<std::string(const std::string&)>& change);

} // namespace tilewright
