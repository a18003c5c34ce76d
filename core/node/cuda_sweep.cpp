// SPDX-License-Identifier: Apache-2.0
#include "core/node/cuda_sweep.h"

#include "core/node/cuda_timing.h"

#include <set>

namespace tilewright {
namespace {

constexpr std::size_t suggestedSizes = 512, pairsOfResidues = 512; ///< plans are made for so many
constexpr std::size_t suggestedFirst = 128, atOnce = 64; ///< of each
/// Of the time that a confirmation takes otherwise: a tenth is the limit.
constexpr double timeShare = 0.08;
constexpr double largeTimes = 4; ///< of the caps, that a launch may cost whose dimensions are large together

/// Takes up to `count` shapes from `done` on.
std::vector<Shape> nextOf(const std::vector<Shape>& shapes, std::size_t& done, std::size_t count)
{
    const std::size_t from = done;
    done = std::min(shapes.size(), done + count);
    return {shapes.begin() + static_cast<std::ptrdiff_t>(from), shapes.begin() + static_cast<std::ptrdiff_t>(done)};
}

} // namespace

SweepCaps gpuSweepCaps(const Task& task) { return isProduct(task) ? SweepCaps{1e8, 1 << 20} : SweepCaps{1e7, 1 << 17}; }

std::unique_ptr<CudaDevice::Sweep> CudaDevice::prepareSweep(const Timing& timing)
{
    auto sweep = std::make_unique<Sweep>();
    if (timing.request.purpose != Purpose::Confirm && timing.request.purpose != Purpose::Export)
        return sweep;
    const Task& task = timing.task;
    ShapeSweep drawn(task, sampleSeed(timing.seedText + "/sweep", {}, 0), gpuSweepCaps(task),
        sizeConstants(m_builder.sourceOf(timing.request.candidate)));
    std::set<Shape> all;
    const auto once = [&](std::vector<Shape> shapes) {
        std::erase_if(shapes, [&](const Shape& shape) { return !all.insert(shape).second; });
        return shapes;
    };
    const SweepCaps caps = gpuSweepCaps(task);
    sweep->residues = once(drawn.residues());
    sweep->named = once(drawn.named());
    sweep->large = once(drawn.together(
        {caps.flops * largeTimes, static_cast<std::int64_t>(static_cast<double>(caps.elements) * largeTimes)}));
    sweep->suggested = once(drawn.suggested(suggestedSizes));
    sweep->pairs = once(drawn.pairs(pairsOfResidues));
    sweep->planned = m_planner.run([this, &task, &unwanted = sweep->isUnwanted, artifact = timing.request.candidate,
                                       shapes = std::vector<Shape>(all.begin(), all.end())] {
        return m_builder.planned(task, artifact, shapes, m_facts, [&unwanted] { return unwanted.load(); });
    });
    return sweep;
}

Result<void> CudaDevice::runSweep(GpuProcess& process, Timing& timing, Sweep& sweep, bool isLast)
{
    using namespace std::chrono_literals;
    const bool isReady = sweep.planned.valid() && sweep.planned.wait_for(0s) == std::future_status::ready;
    if (!(isReady || (isLast && (sweep.planned.valid() || sweep.program))))
        return {};
    const auto begun = Sweep::Clock::now();
    if (sweep.planned.valid()) {
        Result<CudaArtifact> program = sweep.planned.get();
        if (!program)
            return std::unexpected(program.error());
        sweep.program = std::move(*program);
    }
    // By its code, not by its name: it need not be loaded again where it is the same.
    const auto timed = m_builder.artifact(timing.request.candidate);
    if (!timed)
        return std::unexpected(timed.error());
    const bool isSame = (*timed)->cubinHash == sweep.program->cubinHash;
    const Hash code = isSame ? timing.request.candidate : sweep.program->cubinHash;
    if (auto loaded = process.load("candidate", code, *sweep.program); !loaded)
        return loaded;
    if (!std::exchange(sweep.hasRun, true)) {
        std::vector<Shape> first = sweep.residues;
        for (const auto* list : {&sweep.named, &sweep.large})
            first.insert(first.end(), list->begin(), list->end());
        for (Shape& shape : nextOf(sweep.suggested, sweep.suggestedRun, suggestedFirst))
            first.push_back(std::move(shape));
        if (auto right = sweepShapes(process, timing, sweep, first); !right)
            return right;
    }
    const auto spent = [&] { return sweep.spent + (Sweep::Clock::now() - begun); };
    const auto isLeft
        = [&] { return sweep.suggestedRun < sweep.suggested.size() || sweep.pairsRun < sweep.pairs.size(); };
    const auto budget
        = std::chrono::duration_cast<Sweep::Clock::duration>((Sweep::Clock::now() - sweep.begun - spent()) * timeShare);
    while (isLast && isLeft() && spent() < budget) {
        std::vector<Shape> more = nextOf(sweep.suggested, sweep.suggestedRun, atOnce);
        for (Shape& shape : nextOf(sweep.pairs, sweep.pairsRun, atOnce))
            more.push_back(std::move(shape));
        if (auto right = sweepShapes(process, timing, sweep, more); !right)
            return right;
    }
    sweep.spent = spent();
    timing.sweptSizes = static_cast<std::int64_t>(sweep.residues.size());
    timing.suggestedSizes = static_cast<std::int64_t>(sweep.named.size() + sweep.suggestedRun);
    timing.largeSizes = static_cast<std::int64_t>(sweep.large.size());
    timing.sweptPairs = static_cast<std::int64_t>(sweep.pairsRun);
    timing.sweepNs = std::chrono::duration_cast<std::chrono::nanoseconds>(sweep.spent).count();
    return {};
}

Result<void> CudaDevice::sweepShapes(
    GpuProcess& process, Timing& timing, Sweep& sweep, const std::vector<Shape>& shapes)
{
    const auto checks = sweepChecksOf(timing.task, *sweep.program, shapes, timing.seedText + "/sweep");
    if (!checks)
        return std::unexpected(checks.error());
    LaunchChecks on{timing.job, "checking other sizes", "measurement", timing.spentNs, "sweep_", {}, {}};
    on.about = [](Error error, const CheckedLaunch& launch) { return asSweepFinding(std::move(error), launch.shape); };
    on.passed
        = [&](const CheckedLaunch&, const MeasuredChecks& found) { timing.measured.add(found.asPartOf("size-sweep")); };
    return runChecks(process, timing.task, *checks, on);
}

} // namespace tilewright
