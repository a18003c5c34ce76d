// SPDX-License-Identifier: GPL-3.0-or-later
// Texts that a command is given: a file, a pipe, or "-" for standard input.
#pragma once

#include "core/base/result.h"

#include <string>

namespace tilewright::cli {

constexpr std::size_t largestInput = std::size_t(16) << 20; ///< bytes

/// The whole text, as textOf() makes it: without a byte order mark, with LF line ends. A pipe is read to its end; where
/// nobody writes to it, standard error says that this waits. Errors: those of readTextFile().
Result<std::string> readText(const std::string& path, std::size_t largest = largestInput);
/// The same text with its own byte order mark and line ends. Errors: those of readText().
Result<std::string> readTextBytes(const std::string& path, std::size_t largest = largestInput);

} // namespace tilewright::cli
