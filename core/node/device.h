// SPDX-License-Identifier: Apache-2.0
// A device as the node sees it, and what both kinds share: the jobs they are given, and how they hold the device for
// one. Everything but describe() and telemetry() runs on the device's own measuring thread.
#pragma once

#include "core/model/measurement/measured_checks.h"
#include "core/model/measurement/progress_stages.h"
#include "core/model/task/task.h"
#include "core/node/device_lock.h"
#include "core/protocol/messages.h"

#include <filesystem>
#include <functional>

namespace tilewright {

struct DeviceJob {
    std::function<bool()> cancelled = [] { return false; };
    std::function<void(const std::string& stage, double done, double of)> progress
        = [](const std::string&, double, double) {};
};

/// What a measurement found, and what is left to be worked out of it while the device does other work already.
struct TimedReply {
    TimeReply reply;
    /// Completes the reply; called once, on any thread, while task pack and device are there. None: it is complete.
    std::function<void(TimeReply&)> judge;
};
/// The complete reply.
TimeReply judged(TimedReply timed);

/// Whether a device measured its incumbent against itself: only when that was due.
enum class NoiseTurn { NotDue, Taken };

class Device
{
public:
    virtual ~Device() = default;

    virtual std::string id() const = 0;
    virtual Target target() const = 0;
    virtual HelloReply::Device describe() const = 0;
    virtual Telemetry telemetry() const = 0;
    /// Once, on the measuring thread, before all that follows.
    virtual void acquire() = 0;
    /// This check has been asked for, and its turn will come: what needs no device may be done now. Any thread.
    virtual void foresee(const CheckRequest& /*request*/, const TaskPack& /*pack*/) { }
    virtual CheckReply check(const CheckRequest& request, const TaskPack& pack, const DeviceJob& job) = 0;
    /// Errors are failures of the node, not of the candidate: build/no-artifact, time/unstable, cancelled.
    virtual Result<TimedReply> time(const TimeRequest& request, const TaskPack& pack, const DeviceJob& job) = 0;
    /// After a screening whose answer is on its way: measures the incumbent against itself by the same steps, when that
    /// is due. The next reply tells its ratio.
    virtual NoiseTurn measureNoise(const TimeRequest& request, const TaskPack& pack, const DeviceJob& job) = 0;
};

/// The device, held for one job; what it waits for is told as its progress.
class JobLock : public DeviceLock
{
public:
    JobLock(const DeviceLockFile& file, const DeviceJob& job)
        : DeviceLock(file, job.cancelled, [&] { job.progress(std::string(waitingStage), 0, 1); })
    {
    }
};

/// How often work that ended with this is begun in all before its program is blamed. A worker that ended without a word
/// (run/exit) was killed from outside: device code cannot end it. Memory that is not there may be held by others, and
/// what the driver does not name (run/driver) or a known kernel that fails afterwards (run/canary) may be the GPU's. So
/// may silence (run/timeout) where the program has been checked, and ended each time: somebody may have stopped a
/// worker.
int attemptsFor(std::string_view code, bool wasChecked = false);

/// A check that ended with this error.
CheckReply refusedCheck(std::int64_t id, const Error& error);
/// The gates that were passed, or why not.
CheckReply checkReply(std::int64_t id, const Result<PassedChecks>& passed);
/// Rules that say nothing about the candidate: a build, check or timing that ends so has failed, and refused nobody.
bool isNodesOwnRule(std::string_view rule);
/// Whether an error of a measurement is the node's own rather than the candidate's.
bool isNodesOwn(const Error& error);

/// When a device is to measure its incumbent against itself: often at first and after a change, then now and then.
class NoiseSchedule
{
public:
    /// Due once in so many screenings, and more often at the beginning and with a new incumbent.
    explicit NoiseSchedule(int pace)
        : m_pace(pace)
    {
    }
    /// Counts one screening against this incumbent.
    bool isDue(const Hash& incumbent, int knownRatios);

private:
    int m_pace;
    Hash m_of;
    int m_screenings = 0;
};

} // namespace tilewright
