// SPDX-License-Identifier: GPL-3.0-or-later
// One writer a session: an advisory lock (flock) on FILE.lock, which the kernel drops when its holder dies, however it
// dies. Links to a session lead to the one lock beside it. The file holds the writer's process id for the message to
// the second one.
#pragma once

#include "core/base/result.h"

#include <string>

namespace tilewright {

class SessionLock
{
public:
    SessionLock() = default;
    ~SessionLock() { release(); }
    SessionLock(const SessionLock&) = delete;
    SessionLock& operator=(const SessionLock&) = delete;

    /// Errors: session/locked (evidence {"pid"}), session/read-only when the folder cannot be written.
    Result<void> acquire(const std::string& sessionPath);
    void release();

private:
    int m_file = -1;
    std::string m_path;
};

/// Whether a process writes the session at this moment. Only looks: makes no file, and waits for nobody.
bool isLockedByWriter(const std::string& sessionPath);

} // namespace tilewright
