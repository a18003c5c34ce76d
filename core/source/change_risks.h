// SPDX-License-Identifier: GPL-3.0-or-later
// What about an edit a user should look at before it is measured, read from the two texts alone. Pure.
#pragma once

#include "core/model/task/task.h"

#include <cmath>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

/// Changed lines above which an edit counts as a large one: a replaced line is one.
constexpr int largeChange = 40;

/// What the risk of a large change ends with, after their number.
constexpr std::string_view linesOfCode = " changed lines of code";

/// Each kind of risk once, in words for a user: "changes types: float → half", "57 changed lines". Empty for an edit
/// that has none. Reads C++ and CUDA; comments and indentation do not
/// count.
std::vector<std::string> changeRisks(std::string_view before, std::string_view after);

/// Parts of the hardware that a program asks for by name: "wgmma", "tensor memory accelerator", "thread block
/// clusters", "cooperative launch".
std::set<std::string> hardwareFeatures(std::string_view program);

// Where the bins of a niche axis begin and end. Pure.

/// log2 of both ends of an axis: code_bytes 2^9 … 2^14 bytes, products of tunables 2^6 … 2^27 elements.
struct NicheScale {
    double lo = 6, hi = 27;
};

inline NicheScale nicheScale(const NicheAxis& axis)
{
    return axis.feature == "code_bytes" ? NicheScale{9, 14} : NicheScale{};
}

/// The value from which bin `bin` holds, 0 … bins (the end of the last one). The first bin also takes what is below its
/// start, the last one what is above its end.
inline double nicheBinStart(const NicheAxis& axis, int bin)
{
    const NicheScale scale = nicheScale(axis);
    const double part = static_cast<double>(bin) / axis.bins;
    return axis.log2 ? std::exp2(scale.lo + (scale.hi - scale.lo) * part) : std::exp2(scale.hi) * part;
}

} // namespace tilewright
