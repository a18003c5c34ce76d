// SPDX-License-Identifier: GPL-3.0-or-later
// Whole files, read and written.
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace tilewright {

/// Errors: file/missing, file/unreadable, file/too-large.
Result<std::string> readFile(const std::filesystem::path& path, std::size_t largest = std::size_t(1) << 30);

/// Writes a file that the user named. A regular file is replaced as a whole or not at all; what else stands there (a
/// device, a pipe) is written into; a session file is left alone. Errors: file/unwritable.
Result<void> saveFile(const std::filesystem::path& path, std::string_view bytes);

} // namespace tilewright
