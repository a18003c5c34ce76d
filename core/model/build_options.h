// SPDX-License-Identifier: GPL-3.0-or-later
// Which options a task may give to its candidates' compiler: those that choose optimisations and instructions, and
// nothing that loads code, reads files or changes what a result means.
#pragma once

#include <string>
#include <string_view>

namespace tilewright {

enum class FastMath { Refused, Allowed };

/// Why the option may not be given; empty if it may.
std::string objectionToOption(std::string_view option, FastMath fastMath);

} // namespace tilewright
