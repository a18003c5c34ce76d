// SPDX-License-Identifier: Apache-2.0
// The sizes that a CPU program is tried on before it is confirmed: all residues, and sizes that its own constants
// suggest, before it is timed; then, once it is known how long timing takes, sizes that are large together, as many
// more suggested ones and as many pairs of residues as a share of that time allows.
#include "core/node/cpu_timing.h"
#include "core/node/shape_sweep.h"
#include "core/node/sweep_runner.h"

namespace tilewright {
namespace {

/// Of the time that a confirmation takes otherwise. Residues are seen whatever they take; a tenth is the limit for
/// both.
constexpr double timeShare = 0.08;
constexpr std::size_t suggestedFirst = 128;
constexpr std::size_t pairsAtOnce = 32, suggestedAtOnce = 32;
constexpr std::size_t mostSweepPairs = 100'000;
/// An operation that is no product is checked by the task's plain reference: smaller launches.
constexpr SweepCaps productCaps{1e6, 1 << 19}, operationCaps{5e5, 1 << 18};
/// Sizes that are large together: of the time that a confirmation takes otherwise, and at most.
constexpr double togetherShare = 0.025;
constexpr SweepCaps sweptTogether{1e11, 1 << 23};
constexpr int togetherRounds = 3;

using Clock = std::chrono::steady_clock;

} // namespace

struct CpuDevice::Sweep {
    ShapeSweep shapes;
    std::unique_ptr<SweepRunner> runner;
    Clock::duration spent{};
    double nsPerWork = 0; ///< of the largest launches so far

    /// Runs sizes that are large together, and notes what they cost.
    Result<void> runLarge(const std::vector<Shape>& large)
    {
        double work = 0;
        for (const Shape& shape : large)
            work += shapes.work(shape);
        const auto begun = Clock::now();
        auto right = runner->run(large);
        if (work > 0)
            nsPerWork = std::chrono::duration<double, std::nano>(Clock::now() - begun).count() / work;
        return right;
    }

    /// Sizes that are as large together as this time allows, in a few rounds: a program is faster on large sizes than
    /// the small ones tell. How many.
    Result<std::size_t> runLargeFor(Clock::duration allowed)
    {
        const auto begun = Clock::now();
        std::vector<Shape> last;
        std::size_t launched = 0;
        for (int round = 0; round < togetherRounds && nsPerWork > 0; ++round) {
            const std::chrono::duration<double, std::nano> left = allowed - (Clock::now() - begun);
            SweepCaps caps = sweptTogether;
            const double each = left.count() / 2 / nsPerWork; // two of them cost as much as they may
            caps.flops = std::min(caps.flops, each);
            caps.elements = std::min(caps.elements, static_cast<std::int64_t>(each));
            const std::vector<Shape> now = shapes.together(caps);
            if (left.count() <= 0 || now.empty() || now == last)
                break;
            if (auto right = runLarge(now); !right)
                return std::unexpected(right.error());
            launched += now.size();
            last = now;
        }
        return launched;
    }
};

Result<void> CpuDevice::sweepResidues(Timing& timing)
{
    if (timing.request.purpose != Purpose::Confirm && timing.request.purpose != Purpose::Export)
        return {};
    const auto begun = Clock::now();
    const auto truth = reference(timing.pack, timing.request.task);
    const auto object = m_builder.artifactPath(timing.request.candidate);
    if (!truth || !object)
        return std::unexpected(truth ? object.error() : truth.error());
    const Task& task = timing.pack.task;
    const std::string seed = timing.plan.seedText + "/sweep";
    const SweepCaps caps = isProduct(task) ? productCaps : operationCaps;
    auto sweep = std::make_shared<Sweep>(
        ShapeSweep(task, sampleSeed(seed, {}, 0), caps, sizeConstants(m_builder.sourceOf(timing.request.candidate))),
        nullptr);
    std::vector<Shape> residues = sweep->shapes.residues();
    timing.sweptSizes = static_cast<std::int64_t>(residues.size());
    for (Shape& shape : sweep->shapes.suggested(suggestedFirst))
        residues.push_back(std::move(shape));
    for (Shape& shape : sweep->shapes.named())
        residues.push_back(std::move(shape));
    timing.suggestedSizes = static_cast<std::int64_t>(residues.size()) - timing.sweptSizes;
    std::vector<Shape> largest = sweep->shapes.together(sweptTogether);
    largest.insert(largest.end(), residues.begin(), residues.end());
    auto runner = SweepRunner::start(
        {m_sandbox, m_worker, *object, task, **truth, m_cores, m_awake.get(), seed}, largest, caps);
    if (!runner)
        return std::unexpected(runner.error());
    sweep->runner = std::move(*runner);
    timing.job.progress("checking other sizes", 0, 1);
    if (auto right = sweep->runner->run(residues); !right)
        return right;
    const std::vector<Shape> large = sweep->shapes.together(caps);
    timing.largeSizes = static_cast<std::int64_t>(large.size());
    if (auto right = sweep->runLarge(large); !right)
        return right;
    sweep->spent = Clock::now() - begun;
    timing.sweep = std::move(sweep);
    return {};
}

Result<void> CpuDevice::sweepPairs(Timing& timing, Clock::duration timed)
{
    if (!timing.sweep)
        return {};
    Sweep& sweep = *timing.sweep;
    const auto begun = Clock::now();
    const auto budget = std::chrono::duration_cast<Clock::duration>(timed * timeShare) - sweep.spent;
    const auto large = sweep.runLargeFor(std::chrono::duration_cast<Clock::duration>(timed * togetherShare));
    if (!large)
        return std::unexpected(large.error());
    timing.largeSizes += static_cast<std::int64_t>(*large);
    std::size_t pairs = 0;
    // The first batch is run in any case: a program is slow where its own launches are.
    do {
        if (timing.job.cancelled())
            return fail("cancelled", "the measurement was cancelled");
        std::vector<Shape> shapes = sweep.shapes.suggested(suggestedAtOnce);
        timing.suggestedSizes += static_cast<std::int64_t>(shapes.size());
        for (Shape& shape : sweep.shapes.pairs(pairsAtOnce))
            shapes.push_back(std::move(shape));
        if (auto right = sweep.runner->run(shapes); !right)
            return right;
        pairs += pairsAtOnce;
    } while (pairs < mostSweepPairs && Clock::now() - begun < budget);
    timing.sweptPairs = static_cast<std::int64_t>(pairs);
    timing.measured.add(sweep.runner->measured());
    timing.sweepNs = std::chrono::duration_cast<std::chrono::nanoseconds>(sweep.spent + (Clock::now() - begun)).count();
    timing.sweep.reset();
    return {};
}

} // namespace tilewright
