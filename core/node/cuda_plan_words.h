// SPDX-License-Identifier: Apache-2.0
// Why a plan cannot be evaluated while it is compiled: what NVRTC notes of constants that are none, in a user's
// words. Pure.
#pragma once

#include "core/base/result.h"
#include "core/model/task/task.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright {

/// Whether the table of plans was refused because a plan is no constant; NVRTC tells no more of a table.
bool isOfNoConstant(const std::string& log);

/// build/plan, by the log of a compilation of planProbes() for these shapes: what the plan does that it may not, at
/// which line of the program's file and for which shape, and NVRTC's own sentence; in words for every cause where the
/// log tells none.
Error noConstantComplaint(const std::string& log, const std::string& file, const std::vector<Shape>& shapes);

// What NVRTC's log of a candidate means, in a user's words: the compiler speaks of tables and names that the
// candidate never saw. Pure.

/// Of a compilation of the plan alone that failed: build/no-entry, build/plan; build/error and build/no-headers for
/// what is wrong with the program itself. Of a plan that is no constant: cuda_plan_words.h.
Error planComplaint(const std::string& log, const std::string& source);
/// Of one of the kernels that the plan names: build/no-kernel, build/error, build/no-headers.
Error kernelsComplaint(const std::string& log);
/// The log of the plan with its first complaint alone: the others are of other shapes.
std::string withoutRepeats(const std::string& log);
/// "bytes spill stores" of all kernels together, from ptxas' words.
std::int64_t spilledBytes(const std::string& log);
/// Without ptxas' report, which is resources and not the compiler's opinion of the source.
std::string withoutReport(const std::string& log);
/// What may be included, for a program that included something else.
Error foreignHeader(const std::string& found);

} // namespace tilewright
