// SPDX-License-Identifier: GPL-3.0-or-later
// Who gets the processor first. Any thread.
#pragma once

namespace tilewright {

/// From now on this thread gets the processor after those that a person waits for; it cannot be undone. Where a
/// processor is free nothing changes.
void giveWay();

} // namespace tilewright
