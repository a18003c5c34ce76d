// SPDX-License-Identifier: GPL-3.0-or-later
// Texts that a command is given: a file, a pipe, or "-" for standard input.
#pragma once

#include "core/base/result.h"

#include <string>

namespace tilewright::cli {

/// The whole text, at most 16 MiB; a pipe is read to its end, and says on standard error that it waits where nobody
/// writes to it. Errors: those of readFile(), file/too-large.
Result<std::string> readInput(const std::string& path);
/// The same of what must be a text. Errors: also file/not-text (zero bytes, no UTF-8), with the line.
Result<std::string> readText(const std::string& path, std::size_t largest);

} // namespace tilewright::cli
