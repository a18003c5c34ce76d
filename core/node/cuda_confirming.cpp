// SPDX-License-Identifier: Apache-2.0
// Confirming in fresh GPU workers, against the previous best, the baseline and the vendor; and the audit of what is too
// good to be believed.
#include "core/node/cuda_sweep.h"
#include "core/node/cuda_timing.h"

#include <algorithm>
#include <cmath>

namespace tilewright {
namespace {

constexpr double slowestNs = 5e7; ///< one block of such samples in each process tells enough
constexpr std::uint64_t MiB = 1 << 20;

/// Blocks of one shape in each process at least: long samples are steady ones.
int fewestBlocks(double sampleNs) { return sampleNs > slowestNs ? 1 : sampleNs > slowSampleNs ? 2 : 3; }

} // namespace

Result<void> CudaDevice::confirm(Timing& timing)
{
    timing.names = {"incumbent", "candidate", "vendor", "baseline"};
    if (auto clean = memcheck(timing); !clean)
        return clean;
    const std::unique_ptr<Sweep> sweep = prepareSweep(timing);
    for (int round = 0; round < confirmProcesses; ++round)
        if (auto done = confirmOnce(timing, round, *sweep); !done)
            return done;
    timing.shareRatios();
    return timing.request.purpose == Purpose::Rerun ? count(timing) : Result<void>();
}

Result<void> CudaDevice::confirmOnce(Timing& timing, int round, Sweep& sweep)
{
    const auto started = startProcess(timing.pack, timing.request.task);
    if (!started)
        return std::unexpected(started.error());
    timing.job.progress("confirming", round, confirmProcesses); // the worker has run kernels of its own
    auto confirmed = confirmIn(**started, timing, round);
    if (confirmed && round == confirmProcesses - 1)
        measureEnergy(**started, timing);
    if (confirmed)
        confirmed = runSweep(**started, timing, sweep, round == confirmProcesses - 1);
    return ifSound(**started, std::move(confirmed));
}

Result<void> CudaDevice::confirmIn(GpuProcess& process, Timing& timing, int round)
{
    const TimeRequest& request = timing.request;
    const bool own = request.candidate == request.incumbent;
    std::vector<std::string> contestants;
    const auto enter = [&](const char* slot, const Hash& artifact) -> Result<void> {
        contestants.emplace_back(slot);
        return timing.enter(process, m_builder, slot, artifact);
    };
    if (!own)
        if (auto entered = enter("incumbent", request.incumbent); !entered)
            return entered;
    if (auto entered = enter("candidate", request.candidate); !entered)
        return entered;
    const bool wantsVendor = request.vendor && !timing.task.vendor.empty();
    if (wantsVendor && timing.vendorMissing.empty())
        contestants.emplace_back("vendor");
    const bool hasBaseline = request.baseline != request.incumbent;
    if (hasBaseline)
        if (auto entered = timing.enter(process, m_builder, "baseline", request.baseline); !entered)
            return entered;
    if (round == 0)
        if (auto judged = confirmOutside(process, timing); !judged)
            return judged;
    for (std::size_t i = 0; i < timing.records.size(); ++i) {
        ShapeRecord& record = timing.records[i];
        const auto end = std::chrono::steady_clock::now() + confirmShapeLimit * request.repeats / confirmProcesses;
        const int share = mostPairs * request.repeats * (round + 1) / confirmProcesses;
        const int before = record.blocks, voidedBefore = record.voided;
        while (record.samples < share) {
            if (timing.job.cancelled())
                return fail("cancelled", "the measurement was cancelled");
            const int mine = record.blocks - before;
            // The baseline is slow and its ratio large: two launches in each process tell it well enough, or one.
            const bool withBaseline = hasBaseline && (mine == 0 || (mine == 1 && record.sampleNs() < slowestNs));
            std::vector<std::string> order = contestants;
            if (mine % 2 == 1)
                std::ranges::reverse(order);
            auto done = timing.measure(process, record,
                {order, withBaseline ? 1 : repeatsFor(std::max(1.0, record.sampleNs())),
                    withBaseline ? "baseline" : ""},
                m_nvml.get());
            if (!done && done.error().code.starts_with("vendor/")) {
                timing.vendorMissing = done.error().text; // told; the next confirmation asks for it again
                std::erase(contestants, "vendor");
                continue;
            }
            if (!done)
                return std::unexpected(done.error());
            m_mhz = timing.mhzHi;
            timing.job.progress("confirming",
                round + static_cast<double>(i) / static_cast<double>(timing.records.size()), confirmProcesses);
            const BlockRatios& decisive = record.logRatios[own ? "vendor" : "incumbent"];
            const bool enough = record.blocks - before >= fewestBlocks(record.sampleNs()) * request.repeats;
            const bool late = std::chrono::steady_clock::now() > end;
            // Twice as fast needs no third digit, but the vendor's ratio does.
            const BlockRatios& vendor = record.logRatios["vendor"];
            const bool vendorTold = vendor.empty() || std::abs(median(vendor)) > std::log(2.0)
                || timing.halfWidth(vendor) <= timing.task.precision;
            const bool told
                = std::abs(median(decisive)) > std::log(2.0) || timing.halfWidth(decisive) <= timing.task.precision;
            if (enough && (late || (told && vendorTold)))
                break;
            if (late && !enough && record.voided - voidedBefore > 3 * mostVoid)
                return timing.unstable(record);
            if (own && (!wantsVendor || !timing.vendorMissing.empty()) && enough)
                break;
        }
    }
    return {};
}

Result<void> CudaDevice::confirmOutside(GpuProcess& process, Timing& timing)
{
    timing.job.progress("judging in a separate process", 0, confirmProcesses);
    const auto begun = std::chrono::steady_clock::now();
    const auto judged
        = judgeOutside(process, timing, timing.pack.task.train, {64 * MiB, 4 * MiB}, timing.seedText + "/outside");
    timing.spentNs["outside"] += static_cast<double>((std::chrono::steady_clock::now() - begun).count());
    if (judged && timing.judgedLent + timing.judgedCarried == 0)
        timing.notChecked.emplace_back(
            "no output was judged by another process: all are above the size limit for this");
    else if (judged)
        timing.toolsPassed.emplace_back(Timing::judgedOutside);
    else if (judged.error().code == verifierTrouble)
        timing.notChecked.push_back(judged.error().text);
    else
        return judged;
    return {};
}

Result<void> CudaDevice::audit(Timing& timing)
{
    std::vector<Shape> shapes = timing.pack.task.train;
    shapes.insert(shapes.end(), timing.pack.task.heldout.begin(), timing.pack.task.heldout.end());
    const int judgedBefore = timing.judgedLent + timing.judgedCarried;
    for (int round = 0; round < confirmProcesses; ++round) {
        const auto started = startProcess(timing.pack, timing.request.task);
        if (!started)
            return std::unexpected(started.error());
        const std::string seed = timing.seedText + "/audit " + std::to_string(round);
        const auto checked = checkWith(**started, timing.pack, timing.request.candidate, timing.job,
            [&](const CudaArtifact& program) { return checksOf(timing.task, program, seed, true); });
        if (checked)
            timing.measured.add(checked->measured);
        const auto passed = ifSound(**started,
            checked ? judgeOutside(**started, timing, shapes, {512 * MiB, 32 * MiB}, seed + "/outside")
                    : Result<void>(std::unexpected(checked.error())));
        if (!passed && passed.error().code == verifierTrouble)
            return fail("audit/outside", passed.error().text);
        if (!passed)
            return passed;
    }
    if (timing.judgedLent + timing.judgedCarried == judgedBefore)
        return fail("audit/outside", "no output was judged by another process: all are above the size limit for this");
    return {};
}

} // namespace tilewright
