// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/names.h"
#include "core/model/island_steering.h"

namespace tilewright {

inline constexpr NameTable<Standing, 3> standingNames{
    {{Standing::Living, "living"}, {Standing::Paused, "paused"}, {Standing::Ended, "ended"}}};
inline constexpr NameTable<MigrationPlan::Ways, 3> waysNames{
    {{MigrationPlan::Ways::Ring, "ring"}, {MigrationPlan::Ways::Off, "off"}, {MigrationPlan::Ways::Drawn, "drawn"}}};
/// What a person may ask an island for.
inline constexpr NameTable<Focus, 4> aimNames{
    {{Focus::Explore, "explore"}, {Focus::Exploit, "exploit"}, {Focus::Crossover, "crossover"}, {Focus::Tune, "tune"}}};
inline constexpr NameTable<double FocusMix::*, 5> mixNames{
    {{&FocusMix::explore, "explore"}, {&FocusMix::neighbour, "neighbour"}, {&FocusMix::exploit, "exploit"},
        {&FocusMix::crossover, "crossover"}, {&FocusMix::tune, "tune"}}};

} // namespace tilewright
