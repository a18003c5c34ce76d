// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/names.h"
#include "core/model/placement.h"

namespace tilewright {

inline constexpr NameTable<Placing, 2> placingNames{{{Placing::Copy, "copy"}, {Placing::Move, "move"}}};

} // namespace tilewright
