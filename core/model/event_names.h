// SPDX-License-Identifier: GPL-3.0-or-later
// The words of events and of the screen for the enumerations of events.
#pragma once

#include "core/base/names.h"
#include "core/model/event.h"

namespace tilewright {

inline constexpr NameTable<events::Phase, 5> phaseNames{
    {{events::Phase::Created, "created"}, {events::Phase::Running, "running"}, {events::Phase::Paused, "paused"},
        {events::Phase::Finished, "finished"}, {events::Phase::Stopped, "stopped"}}};

inline constexpr NameTable<Work, 6> workNames{{{Work::Build, "build"}, {Work::Check, "check"}, {Work::Screen, "screen"},
    {Work::CheckAll, "check_all"}, {Work::Confirm, "confirm"}, {Work::Noise, "noise"}}};
inline constexpr NameTable<JudgeVerdict, 4> judgeVerdictNames{{{JudgeVerdict::Measure, "measure"},
    {JudgeVerdict::Repeat, "repeat"}, {JudgeVerdict::Wrong, "wrong"}, {JudgeVerdict::Unclear, "unclear"}}};

} // namespace tilewright
