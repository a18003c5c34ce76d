// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/session_path.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace tilewright {

namespace fs = std::filesystem;

std::string realSessionPath(const std::string& path)
{
    std::error_code problem;
    if (const fs::path whole = fs::canonical(path, problem); !problem)
        return whole.string();
    // Not there yet: its folder may be reached by a link.
    const fs::path wanted = fs::absolute(path, problem);
    const fs::path folder = fs::canonical(wanted.parent_path(), problem);
    return problem ? path : (folder / wanted.filename()).string();
}

namespace {

/// "a folder", "a pipe"; none where it is a file, or nothing is there.
const char* kindOfNoFile(const fs::path& path)
{
    std::error_code problem;
    switch (fs::status(path, problem).type()) {
    case fs::file_type::none:
    case fs::file_type::not_found:
    case fs::file_type::unknown:
    case fs::file_type::regular:
        return nullptr;
    case fs::file_type::directory:
        return "a folder";
    case fs::file_type::fifo:
        return "a pipe";
    case fs::file_type::socket:
        return "a socket";
    default:
        return "a device";
    }
}

} // namespace

Result<void> checkIsFile(const std::string& path)
{
    std::error_code problem;
    if (!fs::exists(path, problem))
        return fail("session/missing", "there is no session file " + path, "check the path");
    if (const char* kind = kindOfNoFile(path))
        return fail("session/not-a-session", path + " is " + kind + ", not a session file",
            "choose a file written by Tilewright");
    for (const char* beside : {"-wal", "-shm", "-journal"})
        if (const char* kind = kindOfNoFile(realSessionPath(path) + beside))
            return fail("session/not-a-session",
                path + " cannot be opened: " + path + beside + " beside it is " + kind + ", not a file",
                "move that away");
    return {};
}

std::string unwritableFolder(const std::string& sessionPath)
{
    const int problem = errno;
    std::string folder = std::filesystem::path(sessionPath).parent_path().string();
    folder = folder.empty() ? "." : folder;
    std::string why = problem == ENOENT ? "the folder " + folder + " does not exist"
                                        : "the folder " + folder + " cannot be written: " + std::strerror(problem);
    errno = problem;
    return why;
}

Result<std::string> makeDraft(const std::string& path)
{
    std::string draft = path + ".new-XXXXXX";
    const int file = ::mkostemp(draft.data(), O_CLOEXEC);
    if (file < 0) {
        const std::string why = unwritableFolder(path);
        if (errno == ENOSPC || errno == EDQUOT)
            return fail("session/full", why, "free some space");
        return fail(errno == ENOENT || errno == ENOTDIR ? "session/missing" : "session/read-only", why,
            "choose a folder of your own");
    }
    const mode_t mask = ::umask(0);
    ::umask(mask);
    (void)::fchmod(file, 0644 & ~mask);
    ::close(file);
    return draft;
}

Result<void> takeName(const std::string& draft, const std::string& path)
{
    if (::renameat2(AT_FDCWD, draft.c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE) == 0)
        return {};
    int problem = errno;
    if (problem == EINVAL || problem == ENOSYS) { // a file system that does not know it: the lock has to do
        struct stat there {
        };
        if (::lstat(path.c_str(), &there) == 0)
            problem = EEXIST;
        else if (::rename(draft.c_str(), path.c_str()) == 0)
            return {};
        else
            problem = errno;
    }
    if (problem == EEXIST)
        return std::unexpected(sessionExists(path));
    return fail(
        "session/read-only", path + " cannot be created: " + std::strerror(problem), "choose a folder of your own");
}

void removeLeftLog(const std::string& path)
{
    std::error_code problem;
    for (const char* beside : {"-wal", "-shm"})
        fs::remove(path + beside, problem);
}

FileIdentity identityOf(const std::string& path) { return versionOf(path).file; }

FileVersion versionOf(const std::string& path)
{
    struct stat found {
    };
    if (::stat(path.c_str(), &found) != 0)
        return {};
    return {{static_cast<std::uint64_t>(found.st_dev), static_cast<std::uint64_t>(found.st_ino)},
        static_cast<std::int64_t>(found.st_size),
        static_cast<std::int64_t>(found.st_mtim.tv_sec) * 1'000'000'000
            + static_cast<std::int64_t>(found.st_mtim.tv_nsec)};
}

Error sessionExists(const std::string& path)
{
    return {"session/exists", "there is a file " + path + " already", "choose another name", nullptr};
}

} // namespace tilewright
