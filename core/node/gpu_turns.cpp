// SPDX-License-Identifier: Apache-2.0
#include "core/node/gpu_turns.h"

#include "core/base/text.h"
#include "core/protocol/gpu_trouble.h"

namespace tilewright {

GpuTurns::GpuTurns(std::string uuid, std::string name, const std::filesystem::path& lockFolder)
    : m_name(std::move(name))
    , m_file(uuid, lockFolder)
{
}

GpuTurns::Turn::~Turn()
{
    if (!m_lock)
        return;
    const std::lock_guard lock(m_turns->m_mutex);
    if (!m_turns->m_stuck.still().empty())
        m_turns->m_kept = std::move(m_lock);
}

Result<GpuTurns::Turn> GpuTurns::take(const DeviceJob& job)
{
    if (auto trouble = look())
        return std::unexpected(std::move(*trouble));
    auto lock = std::make_unique<JobLock>(m_file, job);
    if (!lock->held())
        return std::unexpected(lock->whyNot());
    return Turn(*this, std::move(lock));
}

std::optional<Error> GpuTurns::look()
{
    const std::lock_guard lock(m_mutex);
    const std::vector<pid_t> pids = m_stuck.still();
    if (pids.empty()) {
        m_kept.reset();
        return std::nullopt;
    }
    std::vector<std::string> numbers;
    for (const pid_t pid : pids)
        numbers.push_back(std::to_string(pid));
    const bool one = numbers.size() == 1;
    const std::string who = (one ? "process " : "processes ") + joined(numbers, ", ");
    return gpuTrouble("device/stuck",
        who + (one ? " was" : " were") + " killed but still " + (one ? "hangs" : "hang") + " in the driver of "
            + m_name,
        {{"pids", pids}});
}

} // namespace tilewright
