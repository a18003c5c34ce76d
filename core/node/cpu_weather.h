// SPDX-License-Identifier: GPL-3.0-or-later
// What the system tells of a CPU core at this moment: frequency, temperature, how often heat slowed it down. Read from
// files that exist on some machines only (virtual ones mostly have none): what is not there is not known.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace tilewright {

struct CpuWeather {
    std::optional<double> mhz; ///< cpufreq
    std::optional<double> temperature; ///< °C, of the processor's own sensor
    std::optional<std::int64_t> throttled; ///< times since the machine was started
};

/// system: where sysfs is mounted.
CpuWeather readCpuWeather(int core, const std::filesystem::path& system = "/sys");

} // namespace tilewright
