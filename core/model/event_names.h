// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/names.h"
#include "core/model/event.h"

namespace tilewright {

inline constexpr NameTable<events::Phase, 5> phaseNames{
    {{events::Phase::Created, "created"}, {events::Phase::Running, "running"}, {events::Phase::Paused, "paused"},
        {events::Phase::Finished, "finished"}, {events::Phase::Stopped, "stopped"}}};

} // namespace tilewright
