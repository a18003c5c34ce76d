// SPDX-License-Identifier: GPL-3.0-or-later
// A session file packed whole with zstd, as demos are shipped.
#pragma once

#include "core/base/result.h"

#include <filesystem>

namespace tilewright {

/// The shipped demo of this name ("gemm-cpu"); it may not be there.
std::filesystem::path shippedDemo(const std::string& name);
/// Writes the session as a file that is there whole or not at all.
/// Errors: file/missing, session/damaged, session/exists (nothing is replaced), session/locked, session/read-only,
/// session/missing (the folder), file/unwritable.
Result<void> unpackSession(const std::filesystem::path& packed, const std::filesystem::path& to);
/// Takes away what was unpacked, with what reading it left beside it.
void removeUnpacked(const std::filesystem::path& file);
/// The demo that a file is a copy of, by the name that demoCopy() gave it; empty: of none.
std::string demoOf(const std::filesystem::path& file);
/// A new file for a copy of this demo in the data folder, or in the temporary one where that cannot be written.
std::filesystem::path demoCopy(const std::string& name);

} // namespace tilewright
