// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/session_lock.h"

#include "core/store/session_path.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tilewright {
namespace {

long holderOf(int file)
{
    char text[32]{};
    return ::pread(file, text, sizeof text - 1, 0) > 0 ? std::strtol(text, nullptr, 10) : 0;
}

/// Whether the path still names the open file: the last holder may have removed it in between.
bool stillNames(const std::string& path, int file)
{
    struct stat named {
    }, held{};
    return ::stat(path.c_str(), &named) == 0 && ::fstat(file, &held) == 0 && named.st_ino == held.st_ino
        && named.st_dev == held.st_dev;
}

} // namespace

Result<void> SessionLock::acquire(const std::string& sessionPath)
{
    release();
    const std::string path = realSessionPath(sessionPath) + ".lock"; // one lock, however the file is reached
    for (int attempt = 0; attempt < 100; ++attempt) {
        const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0644);
        if (file < 0)
            return fail(errno == ENOENT || errno == ENOTDIR ? "session/missing" : "session/read-only",
                unwritableFolder(sessionPath), "choose a folder of your own");
        if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
            const long pid = holderOf(file);
            ::close(file);
            // A killed writer's child may hold the lock for the moment between its fork and its exec; who looks whether
            // somebody writes holds it for a moment, and has no process id in it.
            if (pid == 0 || (pid > 0 && ::kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH)) {
                ::usleep(20'000);
                continue;
            }
            return fail("session/locked",
                "the session " + sessionPath + " is open for writing in process " + std::to_string(pid),
                "close it there, or view it with 'show'", {{"pid", pid}});
        }
        if (!stillNames(path, file)) {
            ::close(file);
            continue;
        }
        const std::string pid = std::to_string(::getpid()) + "\n";
        if (::ftruncate(file, 0) != 0 || ::pwrite(file, pid.data(), pid.size(), 0) < 0) {
            ::close(file);
            return fail("session/full", "the lock file " + path + " cannot be written", "free some space");
        }
        m_file = file;
        m_path = path;
        return {};
    }
    return fail("session/locked", "the session " + sessionPath + " is being opened and closed elsewhere", "try again");
}

void SessionLock::release()
{
    if (m_file < 0)
        return;
    ::unlink(m_path.c_str());
    ::close(m_file);
    m_file = -1;
}

bool isLockedByWriter(const std::string& sessionPath)
{
    // Who waits for nobody: what has the lock's name may be a pipe.
    const int file = ::open((realSessionPath(sessionPath) + ".lock").c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return false;
    const bool isHeld = ::flock(file, LOCK_SH | LOCK_NB) != 0;
    ::close(file);
    return isHeld;
}

} // namespace tilewright
