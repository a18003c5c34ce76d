// SPDX-License-Identifier: Apache-2.0
// Whose turn it is on a GPU: one job at a time on the whole machine, and none while a process that was killed still
// hangs on it. A turn that leaves such a process keeps the GPU's lock, so that other nodes wait as well, until the
// process is gone. take() and turns' ends on the measuring thread; look() from any.
#pragma once

#include "core/node/device.h"
#include "core/node/stuck_processes.h"

#include <memory>
#include <mutex>

namespace tilewright {

class GpuTurns
{
public:
    GpuTurns(std::string uuid, std::string name, const std::filesystem::path& lockFolder = "/tmp");

    /// While it lives, the GPU is held.
    class Turn
    {
    public:
        Turn(GpuTurns& turns, std::unique_ptr<JobLock> lock)
            : m_turns(&turns)
            , m_lock(std::move(lock))
        {
        }
        Turn(Turn&&) = default;
        Turn& operator=(Turn&&) = delete;
        ~Turn();

    private:
        GpuTurns* m_turns;
        std::unique_ptr<JobLock> m_lock;
    };
    /// Waits for the lock as long as nobody cancels. Errors: device/stuck, cancelled, the lock file's trouble.
    Result<Turn> take(const DeviceJob& job);

    /// Where processes go that do not end: given to all that are started on this GPU.
    StuckProcesses& stuck() { return m_stuck; }
    /// device/stuck, naming the processes; nothing once they are gone, and then the lock is free.
    std::optional<Error> look();

private:
    std::string m_name;
    DeviceLockFile m_file;
    StuckProcesses m_stuck;
    std::mutex m_mutex;
    std::unique_ptr<JobLock> m_kept; ///< of the turn that left a process behind
};

} // namespace tilewright
