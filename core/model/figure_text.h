// SPDX-License-Identifier: GPL-3.0-or-later
// Figures with their intervals as files, terminal and screens show them; the same in every locale.
#pragma once

#include "core/model/evaluation.h"

#include <string>

namespace tilewright {

/// "1.92× [1.90, 1.94]"; a third decimal where two would make both bounds the same.
std::string timesText(const Interval& interval);

} // namespace tilewright
