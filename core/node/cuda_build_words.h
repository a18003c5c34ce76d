// SPDX-License-Identifier: GPL-3.0-or-later
// What NVRTC's log of a candidate means, in a person's words: the compiler speaks of tables and names that the
// candidate never saw. Pure.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>

namespace tilewright {

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
