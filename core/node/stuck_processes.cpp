// SPDX-License-Identifier: Apache-2.0
#include "core/node/stuck_processes.h"

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <poll.h>
#include <string>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace tilewright {

ProcessHandle::ProcessHandle(pid_t pid)
    : m_pid(pid)
    , m_descriptor(static_cast<int>(syscall(SYS_pidfd_open, pid, 0U)))
{
}

ProcessHandle::ProcessHandle(ProcessHandle&& other) noexcept
    : m_pid(other.m_pid)
    , m_descriptor(std::exchange(other.m_descriptor, -1))
{
}

ProcessHandle& ProcessHandle::operator=(ProcessHandle&& other) noexcept
{
    std::swap(m_pid, other.m_pid);
    std::swap(m_descriptor, other.m_descriptor);
    return *this;
}

ProcessHandle::~ProcessHandle()
{
    if (m_descriptor >= 0)
        close(m_descriptor);
}

void ProcessHandle::kill() const
{
    if (m_descriptor >= 0)
        syscall(SYS_pidfd_send_signal, m_descriptor, SIGKILL, nullptr, 0U);
}

bool ProcessHandle::hasEnded(int waitMs) const
{
    pollfd ended{m_descriptor, POLLIN, 0};
    return m_descriptor < 0 || ::poll(&ended, 1, waitMs) > 0;
}

std::vector<ProcessHandle> processesBeneath(pid_t pid)
{
    std::vector<ProcessHandle> found;
    std::vector<pid_t> parents{pid};
    while (!parents.empty()) {
        const pid_t parent = parents.back();
        parents.pop_back();
        std::error_code gone;
        const std::filesystem::path tasks = "/proc/" + std::to_string(parent) + "/task";
        for (const auto& task : std::filesystem::directory_iterator(tasks, gone)) {
            std::ifstream children(task.path() / "children");
            for (pid_t child = 0; children >> child;) {
                parents.push_back(child);
                if (ProcessHandle handle(child); handle.isKnown())
                    found.push_back(std::move(handle));
            }
        }
    }
    return found;
}

void StuckProcesses::addChild(pid_t pid)
{
    const std::lock_guard lock(m_mutex);
    m_children.push_back(pid);
}

void StuckProcesses::add(ProcessHandle process)
{
    const std::lock_guard lock(m_mutex);
    m_others.push_back(std::move(process));
}

std::vector<pid_t> StuckProcesses::still()
{
    const std::lock_guard lock(m_mutex);
    std::erase_if(m_children, [](pid_t pid) {
        int raw = 0;
        const pid_t reaped = waitpid(pid, &raw, WNOHANG);
        return reaped == pid || (reaped < 0 && errno == ECHILD);
    });
    std::erase_if(m_others, [](const ProcessHandle& process) { return process.hasEnded(0); });
    std::vector<pid_t> pids = m_children;
    for (const ProcessHandle& process : m_others)
        pids.push_back(process.pid());
    return pids;
}

StuckProcesses& StuckProcesses::anybodys()
{
    static StuckProcesses processes;
    return processes;
}

} // namespace tilewright
