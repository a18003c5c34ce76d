// SPDX-License-Identifier: GPL-3.0-or-later
// What a change of the phase says that others look for.
#pragma once

#include "core/model/event.h"

namespace tilewright {

/// Running once more while it runs, as events::afterAStep: what ran was a measurement that a person wanted of a paused
/// run, and now all of it goes on.
inline const std::string afterMeasuringAgain = "started, while a candidate was measured again";

/// Of a change from running to running: a person ordered it; else the run waited for a person.
inline bool isOrderedToGoOn(const std::string& reason)
{
    return reason == events::afterAStep || reason == afterMeasuringAgain;
}

} // namespace tilewright
