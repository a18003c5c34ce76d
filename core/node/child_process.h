// SPDX-License-Identifier: Apache-2.0
// A child process that cannot outlive us: own process group, SIGKILL when the node dies, bounded output, hard deadline.
// One that hangs in a driver and survives its SIGKILL is left to StuckProcesses. One owner thread.
#pragma once

#include "core/base/result.h"
#include "core/node/stuck_processes.h"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace tilewright {

struct ChildSetup {
    std::vector<std::string> command;
    std::vector<int> inheritedFds; ///< kept open under the same numbers
    std::vector<int> cpus; ///< affinity; empty: that of the node
    int outputFd = -1; ///< standard output and error go here; -1: /dev/null
    std::size_t memoryBytes = 0; ///< RLIMIT_AS; 0: none
    int cpuSeconds = 0; ///< RLIMIT_CPU; 0: none
    std::size_t fileBytes = 0; ///< RLIMIT_FSIZE; 0: none
    int niceness = 0;
    int realtimePriority = 0; ///< SCHED_FIFO where allowed; 0: ordinary
    std::chrono::milliseconds deathLimit{10'000}; ///< of a killed one, until it counts as stuck
    StuckProcesses* stuck = nullptr; ///< takes it then; null: anybody's
};

struct ExitStatus {
    int code = -1; ///< exit code, −1 when a signal ended it
    int signal = 0;
    bool timedOut = false;

    bool clean() const { return code == 0 && !timedOut; }
    std::string text() const;
};

/// Ended by a signal that neither the process's own fault nor a limit sends.
bool isFromOutside(const ExitStatus& status);

/// What a sandbox around the process tells as 128 and its signal is that signal.
ExitStatus withoutWrapper(ExitStatus status);

class ChildProcess
{
public:
    static Result<ChildProcess> start(const ChildSetup& setup);
    ChildProcess(ChildProcess&& other) noexcept;
    ChildProcess& operator=(ChildProcess&& other) noexcept;
    ~ChildProcess(); ///< kills

    pid_t pid() const { return m_pid; }
    /// Status if it has ended; never blocks.
    std::optional<ExitStatus> poll();
    /// SIGKILL to its group and to all that it has started, then reaps it; after the limit it is left to the stuck.
    void kill();

private:
    ChildProcess() = default;
    pid_t m_pid = -1;
    std::chrono::milliseconds m_deathLimit{};
    StuckProcesses* m_stuck = nullptr;
    std::optional<ExitStatus> m_status;
};

struct RunResult {
    ExitStatus status;
    std::string output; ///< cut at the limit
    bool outputCut = false;
    bool cancelled = false;
};

/// Asked now and then by what takes long: true means that nobody wants its result any more.
using Cancelled = std::function<bool()>;
inline bool never() { return false; }

/// Runs a command to its end, collecting its output; kills it at the deadline, or within a tenth of a second once it is
/// cancelled. Blocks the calling thread.
Result<RunResult> runToEnd(
    ChildSetup setup, std::chrono::milliseconds deadline, std::size_t outputLimit, const Cancelled& cancelled = never);

/// The same for what is asked once in a node's life: again, some times, where it was ended from outside.
Result<RunResult> runUndisturbed(const ChildSetup& setup, std::chrono::milliseconds deadline, std::size_t outputLimit);

} // namespace tilewright
