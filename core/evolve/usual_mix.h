// SPDX-License-Identifier: GPL-3.0-or-later
// What an island asks for by itself. Pure.
#pragma once

#include "core/model/islands/island_steering.h"

namespace tilewright {

/// Weights of what an island of this focus asks for while a user gives none; they sum to one. Its strategy explores
/// more the longer nothing better comes.
FocusMix usualMix(Focus island);

} // namespace tilewright
