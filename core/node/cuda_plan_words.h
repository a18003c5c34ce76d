// SPDX-License-Identifier: GPL-3.0-or-later
// Why a plan cannot be evaluated while it is compiled: what NVRTC notes of constants that are none, in a person's
// words. Pure.
#pragma once

#include "core/base/result.h"
#include "core/model/task.h"

#include <string>
#include <vector>

namespace tilewright {

/// Whether the table of plans was refused because a plan is no constant; NVRTC tells no more of a table.
bool isOfNoConstant(const std::string& log);

/// build/plan, by the log of a compilation of planProbes() for these shapes: what the plan does that it may not, at
/// which line of the program's file and for which shape, and NVRTC's own sentence; in words for every cause where the
/// log tells none.
Error noConstantComplaint(const std::string& log, const std::string& file, const std::vector<Shape>& shapes);

} // namespace tilewright
