// SPDX-License-Identifier: Apache-2.0
// Processes that were killed and do not end, because they hang in a driver: nobody waits for them, but whoever shares a
// device with them must know of them until they are gone. Thread-safe.
#pragma once

#include <mutex>
#include <sys/types.h>
#include <vector>

namespace tilewright {

/// One process, told from a later one of the same number. Linux 5.3 or newer; empty on older ones.
class ProcessHandle
{
public:
    explicit ProcessHandle(pid_t pid);
    ProcessHandle(ProcessHandle&& other) noexcept;
    ProcessHandle& operator=(ProcessHandle&& other) noexcept;
    ~ProcessHandle();

    pid_t pid() const { return m_pid; }
    bool isKnown() const { return m_descriptor >= 0; }
    void kill() const;
    /// Whether it has ended, whosever child it is; waits for up to so many milliseconds.
    bool hasEnded(int waitMs) const;

private:
    pid_t m_pid = -1;
    int m_descriptor = -1;
};

/// All processes beneath this one, whatever session or group they are in, deepest last.
std::vector<ProcessHandle> processesBeneath(pid_t pid);

class StuckProcesses
{
public:
    /// Of ours, still to be reaped.
    void addChild(pid_t pid);
    void add(ProcessHandle process);
    /// Those that are still there; the others are reaped and forgotten.
    std::vector<pid_t> still();

    /// Where a process goes that nobody in particular cares for.
    static StuckProcesses& anybodys();

private:
    std::mutex m_mutex;
    std::vector<pid_t> m_children;
    std::vector<ProcessHandle> m_others;
};

} // namespace tilewright
