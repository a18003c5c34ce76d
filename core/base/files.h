// SPDX-License-Identifier: Apache-2.0
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

// The one reader of texts that come from outside: kernels, references, templates, replies, programs, tables, models
// files. A text is UTF-8; everything behind this reader may rely on that.

/// Nothing if the bytes are a text: UTF-8 without zero bytes, a byte order mark allowed. `name` says in the message
/// what was read. Errors: file/not-text, with line (from 1), byte offset (from 0) and what stands there as evidence.
Result<void> checkText(std::string_view bytes, const std::string& name);

/// The text that the bytes hold: without a byte order mark, with LF line ends. Errors: those of checkText().
Result<std::string> textOf(std::string_view bytes, const std::string& name);

/// The same of a regular file. Errors: file/missing, file/unreadable, file/too-large, file/not-text.
Result<std::string> readTextFile(const std::filesystem::path& path, std::size_t largest);

} // namespace tilewright
