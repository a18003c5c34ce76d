// SPDX-License-Identifier: Apache-2.0
// The energy of a launch: the program runs in a loop for two seconds while NVML's counter of the GPU's energy is read
// before and after. It is a figure beside the times: nothing is ranked by it.
#include "core/node/cuda_timing.h"

#include <thread>

namespace tilewright {
namespace {

using std::chrono::milliseconds;
constexpr milliseconds loopTime{2200}; ///< two seconds and the age of the counter
constexpr milliseconds restTime{500}; ///< until the power has come down from what ran before
constexpr milliseconds idleTime{1000};
constexpr double slowestLaunchNs = 1e9; ///< a loop of these would hardly be one

/// False: the job was cancelled.
bool restFor(milliseconds time, const DeviceJob& job)
{
    for (const auto end = std::chrono::steady_clock::now() + time; std::chrono::steady_clock::now() < end;) {
        if (job.cancelled())
            return false;
        std::this_thread::sleep_for(milliseconds(50));
    }
    return true;
}

} // namespace

void CudaDevice::measureEnergy(GpuProcess& process, Timing& timing)
{
    if (!m_nvml || !m_nvml->consumedJoules() || timing.records.empty())
        return;
    const std::vector<Shape>& train = timing.task.train;
    const auto largest
        = std::ranges::max_element(train, {}, [&](const Shape& shape) { return timing.task.flopsOf(shape); });
    const auto record = std::ranges::find(timing.records, *largest, &ShapeRecord::shape);
    if (record == timing.records.end() || record->sampleNs() > slowestLaunchNs)
        return;
    const auto begun = std::chrono::steady_clock::now();
    timing.job.progress("measuring energy", confirmProcesses, confirmProcesses);
    if (!restFor(restTime, timing.job))
        return;
    const auto idleSince = std::chrono::steady_clock::now();
    const double before = m_nvml->consumedJoules().value_or(0);
    if (!restFor(idleTime, timing.job))
        return;
    const double idleJoules = m_nvml->consumedJoules().value_or(before) - before;
    const std::chrono::duration<double> idle = std::chrono::steady_clock::now() - idleSince;
    nlohmann::json told{{"shape", record->shape}, {"idle_watts", idleJoules / idle.count()}};
    if (addEnergyOfLaunch(process, timing, record->shape, "candidate", told)) {
        if (timing.request.vendor && !timing.task.vendor.empty() && timing.vendorMissing.empty())
            addEnergyOfLaunch(process, timing, record->shape, "vendor", told);
        timing.energy = std::move(told);
    }
    timing.spentNs["energy"] += static_cast<double>((std::chrono::steady_clock::now() - begun).count());
}

bool CudaDevice::addEnergyOfLaunch(
    GpuProcess& process, Timing& timing, const Shape& shape, const std::string& slot, nlohmann::json& told)
{
    auto launch = timing.requestOf(shape, {slot});
    if (!launch || timing.job.cancelled())
        return false;
    launch->order = {slot};
    launch->seeds = {sampleSeed(timing.seedText + "/energy", shape, 1)};
    const auto before = m_nvml->consumedJoules();
    const auto begun = std::chrono::steady_clock::now();
    const auto hot = process.hot({std::move(*launch), static_cast<int>(loopTime.count())});
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
    const auto after = m_nvml->consumedJoules();
    if (!hot || !before || !after || !(*after > *before))
        return false;
    const auto launches = static_cast<double>(hot->launches + 1);
    told[slot] = {{"joules", (*after - *before) / launches}, {"watts", (*after - *before) / took.count()},
        {"launches", hot->launches + 1}};
    return true;
}

} // namespace tilewright
