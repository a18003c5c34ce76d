// SPDX-License-Identifier: GPL-3.0-or-later
// Whole-file reading and the folders Tilewright keeps its things in (XDG base directories).
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>

namespace tilewright {

/// Errors: file/missing, file/unreadable, file/too-large.
Result<std::string> readFile(const std::filesystem::path& path, std::size_t largest = std::size_t(1) << 30);
/// $XDG_DATA_HOME/tilewright or ~/.local/share/tilewright: sessions, own task packs.
std::filesystem::path dataFolder();
/// Where sessions go that nobody named a place for.
std::filesystem::path sessionsFolder();
/// $XDG_CACHE_HOME/tilewright or ~/.cache/tilewright: the build cache. Where that cannot be written, a folder under the
/// temporary one that is this user's alone.
std::filesystem::path cacheFolder();
/// Folder of the running program.
std::filesystem::path programFolder();
/// Where kernels/ and resources/ stand: beside the source tree of a build, or share/tilewright of an installation.
std::filesystem::path sharedFolder();

} // namespace tilewright
