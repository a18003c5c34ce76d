// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/device.h"

#include "core/node/machine_trouble.h"

#include <fcntl.h>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

namespace tilewright {
namespace {

constexpr int fewestNoises = 8; ///< in all, before noise is measured now and then only
constexpr int firstNoises = 3; ///< of a new incumbent
constexpr int screeningsPerNoise = 8;

bool lockDevice(int fd, const DeviceJob& job)
{
    while (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        if (job.cancelled())
            return false;
        job.progress("waiting for the device", 0, 1);
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
    return true;
}

} // namespace

int openDeviceLock(const std::string& name)
{
    std::error_code missing;
    const std::filesystem::path named = std::filesystem::temp_directory_path(missing);
    const std::filesystem::path path = (missing ? std::filesystem::path("/tmp") : named)
        / ("tilewright-" + std::to_string(getuid()) + "-" + name + ".lock");
    return open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
}

DeviceLock::DeviceLock(int fd, const DeviceJob& job)
    : m_fd(fd)
    , m_held(fd < 0 || lockDevice(fd, job))
{
}

DeviceLock::~DeviceLock()
{
    if (m_fd >= 0 && m_held)
        flock(m_fd, LOCK_UN);
}

CheckReply refusedCheck(std::int64_t id, const Error& error)
{
    CheckReply reply;
    reply.id = id;
    reply.rule = error.code;
    reply.text = error.text;
    reply.evidence = error.evidence;
    return reply;
}

CheckReply checkReply(std::int64_t id, const Result<std::vector<std::string>>& passed)
{
    if (!passed)
        return refusedCheck(id, passed.error());
    CheckReply reply;
    reply.id = id;
    reply.ok = true;
    reply.passed = *passed;
    return reply;
}

bool isNodesOwn(const Error& error)
{
    return error.code == "time/unstable" || error.code == "cancelled" || error.code.starts_with("task/")
        || error.code == "build/no-artifact" || error.code == "run/start" || error.code.starts_with("device/")
        || isMachineTrouble(error.code)
        || (error.evidence.is_object() && error.evidence.value("contestant", "candidate") != "candidate");
}

bool NoiseSchedule::isDue(const Hash& incumbent, int knownRatios)
{
    if (std::exchange(m_of, incumbent) != incumbent)
        m_screenings = 0;
    const bool due = knownRatios < fewestNoises || m_screenings < firstNoises || m_screenings % screeningsPerNoise == 0;
    ++m_screenings;
    return due;
}

} // namespace tilewright
