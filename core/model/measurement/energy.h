// SPDX-License-Identifier: GPL-3.0-or-later
// The energy of a launch, as the node measured it with NVML's counter while a program ran in a loop of at least two
// seconds on inputs that stay in the cache. It is in the environment of a confirmation or re-run on a GPU:
// {"shape", "idle_watts", "candidate": {"joules", "watts", "launches"}, "vendor": {…}}. Pure.
#pragma once

#include "core/model/task/task.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace tilewright {

struct LaunchEnergy {
    double joules = 0; ///< of one launch, the idle power included
    double watts = 0; ///< mean during the loop

    bool operator==(const LaunchEnergy&) const = default;
};

struct MeasuredEnergy {
    Shape shape;
    double idleWatts = 0; ///< of the whole GPU while nothing runs
    LaunchEnergy candidate;
    std::optional<LaunchEnergy> vendor;

    bool operator==(const MeasuredEnergy&) const = default;
};

/// None where the GPU or its driver does not count energy, on a CPU, and in sessions of earlier versions.
std::optional<MeasuredEnergy> energyOf(const nlohmann::json& environment);

/// "0.142 J", "35.2 mJ", "0.81 µJ".
std::string jouleText(double joules);
/// "0.142 J a launch on 4096×4096×4096 at 512 W; vendor library 0.15 J at 540 W; idle 118 W".
std::string energyText(const MeasuredEnergy& energy);

} // namespace tilewright
