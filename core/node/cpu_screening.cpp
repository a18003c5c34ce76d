// SPDX-License-Identifier: GPL-3.0-or-later
// Screening: a candidate against the incumbent in ABBA blocks, for as long as their ratio needs; and by the way the
// incumbent against itself by the same steps, which is the noise floor.
#include "core/node/core_clock.h"
#include "core/node/cpu_timing.h"

#include <utility>

namespace tilewright {
namespace {

constexpr int fewestRounds = 6, mostRounds = 32, slowRounds = 2;
constexpr double slowSweepNs = 5e7; ///< of the slower program over all shapes
constexpr double farOff = 0.08; ///< who is this much slower or faster needs no third digit
constexpr int quickResamples = 200;

} // namespace

double emptyCallNs(Arena& arena)
{
    std::vector<double> times;
    for (int i = 0; i < 15; ++i)
        if (const auto time = arena.emptyCall())
            times.push_back(static_cast<double>(time->count()));
    return median(std::move(times));
}

/// Rounds that the shapes have still to be gone through, after `done` of them. Long samples are steady ones: a third of
/// the rounds tells as much. Else the width of the interval decides, never the side of 1 on which it lies, so that
/// stopping favours nobody.
int CpuDevice::Timing::roundsAfter(int done) const
{
    double sweep = 0;
    for (const ShapeRecord& record : records)
        sweep += record.lastNs;
    if (sweep > slowSweepNs)
        return std::max(0, slowRounds - done);
    if (done < fewestRounds)
        return fewestRounds - done;
    const auto ratio = this->ratio("incumbent", ShapeSplit::Train, quickResamples);
    const bool told = !ratio || std::log(ratio->hi / ratio->lo) / 2 <= task.precision || ratio->lo > 1 + farOff
        || ratio->hi < 1 / (1 + farOff);
    return told || done >= mostRounds ? 0 : 1;
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
    timing.names = {"incumbent", "candidate"};
    std::vector<Contestant> contestants{{"incumbent", incumbent->get()}, {"candidate", candidate->get()}};
    CpuTimer timer(timing.pack.task, m_cores.measuring, timing.plan.seedText);
    timing.emptyCallNs = emptyCallNs(**incumbent);
    for (ShapeRecord& record : timing.records) {
        const auto slowest = timer.warmUp(record.shape, contestants);
        if (!slowest)
            return std::unexpected(slowest.error());
        record.lastNs = *slowest;
    }
    int round = 0;
    for (int left = timing.roundsAfter(0); left > 0; left = timing.roundsAfter(++round)) {
        if (round % 2 == 1)
            std::ranges::reverse(contestants); // ABBA, then BAAB
        for (ShapeRecord& record : timing.records) {
            if (timing.job.cancelled())
                return fail("cancelled", "the measurement was cancelled");
            for (bool filed = false; !filed;) {
                auto done = timing.measure(timer, record, contestants, timer.repeatsFor(record.lastNs));
                if (!done)
                    return std::unexpected(done.error());
                filed = *done;
                if (!filed && record.voided > mostVoid + record.blocks)
                    return timing.unstable(record);
            }
            m_mhz = timing.mhzHi;
        }
        timing.job.progress("screening", round + 1, round + left);
        const auto sofar = timing.ratio("incumbent", ShapeSplit::Train);
        if (round == 0 && sofar && timing.request.stopBelow > 0 && sofar->hi < timing.request.stopBelow)
            break; // clearly below half of its island's median
    }
    return {};
}

void CpuDevice::measureNoise(const TimeRequest& request, const TaskPack& pack, const DeviceJob& job)
{
    if (request.purpose != Purpose::Screen)
        return;
    const bool due = m_noiseSchedule.isDue(request.incumbent, m_noise.count());
    const DeviceLock lock(due ? m_lock : -1, job);
    if (!due || !lock.held())
        return;
    TimeRequest self = request;
    self.candidate = request.incumbent;
    self.evaluation += "/noise";
    self.stopBelow = 0;
    Timing timing(self, pack, job);
    timing.begin(seedText(self.evaluation), pack.task.train, {});
    std::optional<CoreKeptAwake> awake;
    if (m_cores.clock != m_cores.measuring)
        awake.emplace(m_cores.measuring);
    if (!screen(timing))
        return; // what is wrong with the incumbent shows where it matters
    if (const auto ratio = timing.ratio("incumbent", ShapeSplit::Train, quickResamples)) {
        m_newNoise.push_back(std::log(ratio->value));
        m_noise.add(m_newNoise.back());
        m_floor = m_noise.value();
    }
}

} // namespace tilewright
