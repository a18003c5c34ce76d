// SPDX-License-Identifier: GPL-3.0-or-later
// A session file's name on the disk: the one real path behind links, and how a new file gets its name without taking
// anybody else's.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>

namespace tilewright {

/// The path with its links followed, as SQLite names the log beside a session; the path itself where its folder is
/// missing.
std::string realSessionPath(const std::string& path);

/// Whether a session could be opened at the path: a file is there, and neither it nor what SQLite reads beside it is a
/// pipe, a device or a socket, at which a reader would wait for ever. Errors: session/missing, session/not-a-session.
Result<void> checkIsFile(const std::string& path);

/// After a file beside the session could not be made, from errno: "the folder /no/such does not exist", "the folder DIR
/// cannot be written: Permission denied".
std::string unwritableFolder(const std::string& sessionPath);

/// An empty file of its own beside the path, to become it by takeName(). Errors: session/read-only, session/missing
/// (the folder), session/full.
Result<std::string> makeDraft(const std::string& path);

/// Gives the draft the path's name, which nothing may have. Errors: session/exists, session/read-only.
Result<void> takeName(const std::string& draft, const std::string& path);

/// Removes the log that a session of this path has left behind: SQLite would read it into a new file. Only for who
/// holds the lock.
void removeLeftLog(const std::string& path);

/// Which file a name stands for at this moment; the blank one where there is none.
struct FileIdentity {
    std::uint64_t device = 0, inode = 0;
    bool operator==(const FileIdentity&) const = default;
};
FileIdentity identityOf(const std::string& path);

/// The file of a name and when it was last written; the blank one where there is none.
struct FileVersion {
    FileIdentity file;
    std::int64_t bytes = 0, writtenNs = 0;
    bool operator==(const FileVersion&) const = default;
};
FileVersion versionOf(const std::string& path);

/// The error session/exists.
Error sessionExists(const std::string& path);

} // namespace tilewright
