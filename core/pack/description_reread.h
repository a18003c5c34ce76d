// SPDX-License-Identifier: GPL-3.0-or-later
// A kernel's description after its file has changed: what a person said of it stays, all else is as the file tells it
// now. Pure.
#pragma once

#include "core/pack/kernel_description.h"

#include <optional>

namespace tilewright {

/// wasRead: as the file told it before, byHand: the same with a person's changes, isRead: as the file tells it now.
/// None where the function takes other parameters now: what was said of the old ones means nothing for these.
std::optional<KernelDescription> reread(
    const KernelDescription& wasRead, const KernelDescription& byHand, const KernelDescription& isRead);

} // namespace tilewright
