// SPDX-License-Identifier: GPL-3.0-or-later
// Which events have to be on the disk itself before anything goes on. Pure.
#pragma once

#include "core/model/event.h"

namespace tilewright {

/// Decisions and paid replies: lost with the power they would be missed. What the machine found out or told of itself
/// can be had again, and comes many times a second.
bool mustReachDisk(const EventBody& body);

} // namespace tilewright
