// SPDX-License-Identifier: GPL-3.0-or-later
// Where the bins of a niche axis begin and end. Pure.
#pragma once

#include "core/model/task.h"

#include <cmath>

namespace tilewright {

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
