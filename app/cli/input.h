// SPDX-License-Identifier: GPL-3.0-or-later
// Texts that a command is given: a file, a pipe, or "-" for standard input.
#pragma once

#include "core/base/result.h"

#include <string>

namespace tilewright::cli {

/// The whole text, at most 16 MiB. Errors: those of readFile(), file/too-large.
Result<std::string> readInput(const std::string& path);

} // namespace tilewright::cli
