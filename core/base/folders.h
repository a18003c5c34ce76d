// SPDX-License-Identifier: Apache-2.0
// The folders Tilewright keeps its things in (XDG base directories), and whether a folder is safe to keep them in:
// programs and task packs that lie there are loaded and run, so nobody else may be able to put any there.
#pragma once

#include <filesystem>
#include <string>

namespace tilewright {

/// Whether no other user but root can change what lies in this folder: it and all above it, links resolved, belong to
/// this user or root, and where others may write there is the sticky bit. Of a folder that does not exist, its nearest
/// ancestor. A group that is this user's own counts as the user.
bool isSafeFolder(const std::filesystem::path& folder);
/// The same, and nobody else can look into it: an existing folder of this user's, with no rights for anybody else.
bool isPrivateFolder(const std::filesystem::path& folder);

/// $TMPDIR where that is a safe folder, else /tmp.
std::filesystem::path temporaryFolder();

/// $XDG_DATA_HOME/tilewright or ~/.local/share/tilewright: sessions, own task packs. Without HOME the home folder of
/// this user's account. What is not a safe folder is left aside, and $XDG_DATA_HOME is then as if it were not set;
/// where none is left, a private folder under the temporary one. A place that cannot be a folder (a file stands there)
/// is returned: sessions are not put elsewhere without a word, making the folder fails.
std::filesystem::path dataFolder();
/// What is to be told where $XDG_DATA_HOME or ~/.local/share is left aside; empty where nothing is.
std::string dataFolderNotice();
/// Where sessions go that nobody named a place for.
std::filesystem::path sessionsFolder();
/// $XDG_CACHE_HOME/tilewright or ~/.cache/tilewright: the build cache. As dataFolder(), and what cannot be written is
/// left aside too.
std::filesystem::path cacheFolder();
/// Folder of the running program.
std::filesystem::path programFolder();
/// Where kernels/ and resources/ stand: beside the source tree of a build, or share/tilewright of an installation.
std::filesystem::path sharedFolder();

} // namespace tilewright
