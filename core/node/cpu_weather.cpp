// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/cpu_weather.h"

#include "core/device/system_files.h"

#include <array>
#include <fstream>
#include <string>
#include <string_view>

namespace tilewright {
namespace {

namespace fs = std::filesystem;

std::string wordIn(const fs::path& file)
{
    std::string word;
    std::ifstream(file) >> word;
    return word;
}

/// The first folder below `parent` whose file `file` holds one of these words; empty if there is none.
template <std::size_t N>
fs::path folderOf(const fs::path& parent, const char* file, const std::array<std::string_view, N>& words)
{
    std::error_code problem;
    for (fs::directory_iterator entry(parent, problem), end; !problem && entry != end; entry.increment(problem)) {
        const std::string held = wordIn(entry->path() / file);
        for (const std::string_view word : words)
            if (held == word)
                return entry->path();
    }
    return {};
}

/// Thousandths of a degree, from the sensor of the processor itself and not of the board.
std::optional<std::int64_t> millidegrees(const fs::path& system)
{
    constexpr std::array<std::string_view, 3> drivers{"coretemp", "k10temp", "zenpower"};
    constexpr std::array<std::string_view, 2> zones{"x86_pkg_temp", "cpu-thermal"};
    if (const fs::path sensor = folderOf(system / "class/hwmon", "name", drivers); !sensor.empty())
        if (const auto read = numberIn(sensor / "temp1_input"))
            return read;
    const fs::path zone = folderOf(system / "class/thermal", "type", zones);
    return zone.empty() ? std::nullopt : numberIn(zone / "temp");
}

} // namespace

CpuWeather readCpuWeather(int core, const fs::path& system)
{
    const fs::path folder = system / "devices/system/cpu" / ("cpu" + std::to_string(core));
    CpuWeather weather;
    if (const auto kilohertz = numberIn(folder / "cpufreq/scaling_cur_freq"))
        weather.mhz = static_cast<double>(*kilohertz) / 1000;
    if (const auto read = millidegrees(system))
        weather.temperature = static_cast<double>(*read) / 1000;
    weather.throttled = numberIn(folder / "thermal_throttle/core_throttle_count");
    return weather;
}

} // namespace tilewright
