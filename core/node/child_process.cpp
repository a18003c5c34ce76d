// SPDX-License-Identifier: Apache-2.0
#include "core/node/child_process.h"

#include "core/node/machine_trouble.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tilewright {
namespace {

void limit(__rlimit_resource resource, std::size_t value, std::size_t grace = 0)
{
    if (value == 0)
        return;
    const rlimit both{value, value + grace};
    setrlimit(resource, &both);
}

/// Between a limit of processor time, which SIGXCPU tells, and the SIGKILL for who goes on: that might be anybody's.
constexpr std::size_t secondsAfterSigxcpu = 5;
constexpr int undisturbedTries = 3;

/// Between fork and exec: only calls that are safe there.
[[noreturn]] void becomeChild(const ChildSetup& setup, char* const* argv, pid_t parent)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(125);
    if (!setup.cpus.empty()) {
        cpu_set_t set;
        CPU_ZERO(&set);
        for (const int cpu : setup.cpus)
            CPU_SET(static_cast<std::size_t>(cpu), &set);
        sched_setaffinity(0, sizeof set, &set);
    }
    if (setup.niceness != 0)
        setpriority(PRIO_PROCESS, 0, setup.niceness);
    if (setup.realtimePriority > 0) {
        const sched_param priority{setup.realtimePriority};
        sched_setscheduler(0, SCHED_FIFO, &priority);
    } else {
        const sched_param ordinary{
            0}; // builders are not children of the measuring thread, but must never inherit its rank
        sched_setscheduler(0, SCHED_OTHER, &ordinary);
    }
    limit(RLIMIT_AS, setup.memoryBytes);
    limit(RLIMIT_CPU, static_cast<std::size_t>(setup.cpuSeconds), secondsAfterSigxcpu);
    limit(RLIMIT_FSIZE, setup.fileBytes);
    const rlimit noCore{0, 0};
    setrlimit(RLIMIT_CORE, &noCore);
    const int null = open("/dev/null", O_RDWR);
    dup2(null, 0);
    dup2(setup.outputFd >= 0 ? setup.outputFd : null, 1);
    dup2(setup.outputFd >= 0 ? setup.outputFd : null, 2);
    for (const int fd : setup.inheritedFds)
        fcntl(fd, F_SETFD, 0);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    signal(SIGPIPE, SIG_DFL);
    execvp(argv[0], argv);
    _exit(127);
}

ExitStatus statusFrom(int raw)
{
    ExitStatus status;
    if (WIFEXITED(raw))
        status.code = WEXITSTATUS(raw);
    else
        status.signal = WTERMSIG(raw);
    return status;
}

} // namespace

bool isFromOutside(const ExitStatus& status) { return !status.timedOut && isOutsideSignal(status.signal); }

ExitStatus withoutWrapper(ExitStatus status)
{
    constexpr int wrapped = 128, mostSignals = 64;
    if (status.signal == 0 && status.code > wrapped && status.code <= wrapped + mostSignals)
        status.signal = status.code - wrapped;
    return status;
}

std::string ExitStatus::text() const
{
    if (timedOut)
        return "did not end in time";
    if (signal != 0)
        return std::string("was ended by signal ") + std::to_string(signal) + " (" + strsignal(signal) + ")";
    return "ended with code " + std::to_string(code);
}

Result<ChildProcess> ChildProcess::start(const ChildSetup& setup)
{
    std::vector<char*> argv;
    for (const std::string& word : setup.command)
        argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    const pid_t parent = getpid();
    const pid_t pid = fork();
    if (pid < 0)
        return std::unexpected(noMemory("no process could be started", errno));
    if (pid == 0)
        becomeChild(setup, argv.data(), parent);
    setpgid(pid, pid);
    ChildProcess process;
    process.m_pid = pid;
    process.m_deathLimit = setup.deathLimit;
    process.m_stuck = setup.stuck ? setup.stuck : &StuckProcesses::anybodys();
    return process;
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : m_pid(std::exchange(other.m_pid, -1))
    , m_deathLimit(other.m_deathLimit)
    , m_stuck(other.m_stuck)
    , m_status(std::move(other.m_status))
{
}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept
{
    std::swap(m_pid, other.m_pid);
    std::swap(m_deathLimit, other.m_deathLimit);
    std::swap(m_stuck, other.m_stuck);
    std::swap(m_status, other.m_status);
    return *this;
}

ChildProcess::~ChildProcess() { kill(); }

std::optional<ExitStatus> ChildProcess::poll()
{
    if (m_status || m_pid < 0)
        return m_status;
    int raw = 0;
    if (waitpid(m_pid, &raw, WNOHANG) == m_pid)
        m_status = statusFrom(raw);
    return m_status;
}

void ChildProcess::kill()
{
    if (m_pid < 0 || m_status)
        return;
    // Whoever is in a sandbox has left our group, and may hang in a driver when the sandbox itself is gone.
    std::vector<ProcessHandle> beneath = processesBeneath(m_pid);
    ::kill(-m_pid, SIGKILL);
    ::kill(m_pid, SIGKILL);
    for (const ProcessHandle& process : beneath)
        process.kill();
    const auto end = std::chrono::steady_clock::now() + m_deathLimit;
    const auto left = [&] {
        const auto time = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
        return static_cast<int>(std::max<long>(0, time.count()));
    };
    int raw = SIGKILL;
    bool reaped = false;
    while (!(reaped = waitpid(m_pid, &raw, WNOHANG) != 0) && left() > 0)
        usleep(200);
    m_status = reaped ? statusFrom(raw) : ExitStatus{-1, SIGKILL, false};
    if (!reaped)
        m_stuck->addChild(m_pid);
    for (ProcessHandle& process : beneath)
        if (!process.hasEnded(left()))
            m_stuck->add(std::move(process));
}

Result<RunResult> runToEnd(
    ChildSetup setup, std::chrono::milliseconds deadline, std::size_t outputLimit, const Cancelled& cancelled)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return std::unexpected(noMemory("no pipe could be made", errno));
    setup.outputFd = ends[1];
    auto child = ChildProcess::start(setup);
    close(ends[1]);
    if (!child) {
        close(ends[0]);
        return std::unexpected(child.error());
    }
    RunResult result;
    const auto end = std::chrono::steady_clock::now() + deadline;
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
        result.cancelled = cancelled();
        if (left.count() <= 0 || result.cancelled)
            break;
        pollfd waiting{ends[0], POLLIN, 0};
        if (poll(&waiting, 1, static_cast<int>(std::min<long>(left.count(), 100))) <= 0) {
            if (child->poll())
                break;
            continue;
        }
        char buffer[16384];
        const ssize_t count = read(ends[0], buffer, sizeof buffer);
        if (count <= 0)
            break;
        const std::size_t room = outputLimit - std::min(outputLimit, result.output.size());
        result.output.append(buffer, std::min(room, static_cast<std::size_t>(count)));
        result.outputCut |= static_cast<std::size_t>(count) > room;
    }
    close(ends[0]);
    while (!result.cancelled && !child->poll() && std::chrono::steady_clock::now() < end)
        usleep(500);
    result.status.timedOut = !result.cancelled && !child->poll().has_value();
    child->kill();
    const bool timedOut = result.status.timedOut;
    result.status = *child->poll();
    result.status.timedOut = timedOut;
    return result;
}

Result<RunResult> runUndisturbed(const ChildSetup& setup, std::chrono::milliseconds deadline, std::size_t outputLimit)
{
    auto run = runToEnd(setup, deadline, outputLimit);
    for (int tries = 1; run && isFromOutside(withoutWrapper(run->status)) && tries < undisturbedTries; ++tries)
        run = runToEnd(setup, deadline, outputLimit);
    return run;
}

} // namespace tilewright
