// SPDX-License-Identifier: GPL-3.0-or-later
// What the measuring core can do at most, measured: the yardstick beside which a kernel's rates are told. Nothing is
// taken from a data sheet. About 40 ms, under the device's lock.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>

namespace tilewright {

struct CpuLimits {
    double gigaflopsPerSecond = 0; ///< fp32, multiply-adds in registers; 0 where no way to measure it is known
    double gigabytesPerSecond = 0; ///< reading memory that no cache holds, 10⁹ bytes; 0 as above
    /// Reading what the first two levels of cache do not hold, wherever else it lies: the state before a timed call.
    /// Never below gigabytesPerSecond.
    double outerGigabytesPerSecond = 0;

    /// {"measured_gflops": {"fp32": …}, "measured_memory_gb_s": …}; what is unknown is left out.
    nlohmann::json json() const;
};

/// The best of several short runs on this core; nothing else may run there meanwhile. l2Bytes: of the second-level
/// cache; 0 if unknown.
CpuLimits measuredCpuLimits(int core, std::int64_t l2Bytes);

} // namespace tilewright
