// SPDX-License-Identifier: Apache-2.0
// Screening: a candidate against the incumbent in ABBA blocks, for as long as their ratio needs; and by the way the
// incumbent against itself by the same steps, which is the noise floor.
#include "core/node/core_clock.h"
#include "core/node/cpu_timing.h"

#include <utility>

namespace tilewright {
namespace {

constexpr ScreeningPace cpuPace{6, 32, 2, 5e7};

} // namespace

double emptyCallNs(Arena& arena)
{
    std::vector<double> times;
    for (int i = 0; i < 15; ++i)
        if (const auto time = arena.emptyCall())
            times.push_back(static_cast<double>(time->count()));
    return median(std::move(times));
}

Result<void> CpuDevice::screen(Timing& timing)
{
    const auto candidateObject = m_builder.artifactPath(timing.request.candidate);
    const auto incumbentObject = m_builder.artifactPath(timing.request.incumbent);
    if (!candidateObject || !incumbentObject)
        return std::unexpected(candidateObject ? incumbentObject.error() : candidateObject.error());
    auto incumbent = startArena(timing.pack.task, *incumbentObject, timing.plan);
    auto candidate = startArena(timing.pack.task, *candidateObject, timing.plan);
    if (!incumbent || !candidate)
        return std::unexpected(candidate ? incumbent.error() : candidate.error());
    const auto truth = reference(timing.pack, timing.request.task);
    if (!truth)
        return std::unexpected(truth.error());
    timing.names = {"incumbent", "candidate"};
    std::vector<Contestant> contestants{{"incumbent", incumbent->get()}, {"candidate", candidate->get()}};
    CpuTimer timer(timing.pack.task, **truth, m_cores.measuring, timing.plan.seedText);
    timing.emptyCallNs = emptyCallNs(**incumbent);
    for (ShapeRecord& record : timing.records) {
        const auto slowest = timer.warmUp(record.shape, contestants);
        if (!slowest)
            return std::unexpected(slowest.error());
        record.lastNs = *slowest;
    }
    TimingRecord::Steps steps;
    steps.take = [&](ShapeRecord& record) {
        auto done = timing.measure(timer, record, contestants, timer.repeatsFor(record.lastNs));
        if (done.value_or(false))
            m_mhz = timing.mhzHi;
        return done;
    };
    steps.turnAround = [&] { std::ranges::reverse(contestants); };
    const auto screened = timing.screen(cpuPace, steps);
    timing.measured.add(timer.measured());
    return screened;
}

NoiseTurn CpuDevice::measureNoise(const TimeRequest& request, const TaskPack& pack, const DeviceJob& job)
{
    if (request.purpose != Purpose::Screen)
        return NoiseTurn::NotDue;
    if (!m_noiseSchedule.isDue(request.incumbent, m_noise.count()))
        return NoiseTurn::NotDue;
    const JobLock lock(*m_lock, job);
    if (!lock.held())
        return NoiseTurn::NotDue;
    const TimeRequest self = againstItself(request);
    Timing timing(self, pack, job);
    timing.begin(seedText(self.evaluation), pack.task.train, {});
    const AwakeWhileTimed awake(m_awake, m_cores);
    if (!screen(timing))
        return NoiseTurn::Taken; // what is wrong with the incumbent shows where it matters
    if (const auto ratio = timing.quickRatio()) {
        m_newNoise.push_back(std::log(ratio->value));
        m_noise.add(m_newNoise.back());
        m_floor = m_noise.measured();
    }
    return NoiseTurn::Taken;
}

} // namespace tilewright
