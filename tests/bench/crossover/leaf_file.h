// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <string>

namespace tilewright::bench {

/// The program in a file that 'tilewright-cli save' wrote, or the whole file. Errors: those of readTextFile().
Result<std::string> leafIn(const std::string& path);

} // namespace tilewright::bench
