// SPDX-License-Identifier: Apache-2.0
// How a program is timed: confirming in fresh processes, audit, and the judgement. Screening has a file of its own.
#include "core/node/cpu_timing.h"
#include "core/device/core_usage.h"
#include "core/node/core_clock.h"

#include <thread>
#include <unistd.h>

namespace tilewright {
namespace {

constexpr double confirmFiner = 0.5; ///< than the task's precision, as each shape is told by itself
/// A vendor that does not start is started again so often: without it there is no bound for what is too good.
constexpr int vendorStarts = 3;
constexpr auto vendorPause = std::chrono::milliseconds(200);

constexpr auto watchTime = std::chrono::milliseconds(300);

/// The vendor's own trouble: never a candidate's outcome.
Error aboutVendor(Error error)
{
    if (!error.evidence.is_object())
        error.evidence = nlohmann::json::object();
    error.evidence["contestant"] = "vendor";
    return error;
}

} // namespace

Result<TimedReply> CpuDevice::time(const TimeRequest& request, const TaskPack& pack, const DeviceJob& job)
{
    const JobLock lock(*m_lock, job);
    if (!lock.held())
        return std::unexpected(lock.whyNot());
    const auto start = std::chrono::steady_clock::now(); // waiting for others is no work
    const auto truth = reference(pack, request.task);
    if (!truth)
        return std::unexpected(truth.error());
    if (auto strict = calibrate(pack, request.task, **truth); !strict)
        return std::unexpected(strict.error());
    if (!m_limits)
        m_limits = measuredCpuLimits(m_cores.measuring, m_facts.l2Bytes);
    const AwakeWhileTimed awake(m_awake, m_cores);
    Timing timing(request, pack, job);
    const bool confirming = timing.isConfirming();
    timing.begin(seedText(request.evaluation), pack.task.train, confirming ? pack.task.heldout : std::vector<Shape>{});
    TimeReply reply;
    reply.id = request.id;
    const auto measured = confirming ? confirm(timing) : screen(timing);
    if (measured) {
        judge(timing, reply.result);
        if (auto looked = timing.lookInto(
                reply.result, [&] { return audit(timing); }, [&] { judge(timing, reply.result); });
            !looked)
            return std::unexpected(looked.error());
    }
    if (!measured)
        if (auto refused = refuse(reply.result, measured.error()); !refused)
            return std::unexpected(withDisturbers(refused.error()));
    reply.result.purpose = request.purpose;
    reply.result.artifact = request.candidate;
    reply.result.noiseFloor = m_noise.measured();
    reply.result.environment = environment(pack.task);
    reply.result.environment.update(m_limits->json());
    reply.result.environment["mhz"] = {std::llround(timing.mhzLo), std::llround(timing.mhzHi)};
    reply.result.environment["empty_call_ns"] = std::llround(timing.emptyCallNs);
    if (!timing.vendorLibrary.is_null())
        reply.result.environment["vendor_library"] = timing.vendorLibrary;
    timing.tell(reply.result.environment);
    reply.result.wallNs = (std::chrono::steady_clock::now() - start).count();
    reply.blocks = std::move(timing.blocks);
    reply.noiseRatios = std::exchange(m_newNoise, {});
    return TimedReply{std::move(reply), {}};
}

Error CpuDevice::withDisturbers(Error error) const
{
    if (error.code != "time/unstable")
        return error;
    std::vector<int> cores{m_cores.measuring};
    if (m_cores.hasOwnClock())
        cores.push_back(m_cores.clock);
    const auto users = watchCores(cores, {getpid()}, watchTime);
    const std::string words = describeCoreUsers(users);
    if (!error.evidence.is_object())
        error.evidence = nlohmann::json::object();
    error.evidence["programs"] = nlohmann::json::array();
    for (const CoreUser& user : users)
        error.evidence["programs"].push_back(
            {{"program", user.program}, {"process", user.process}, {"core", user.core}, {"share", user.share}});
    if (words.empty())
        return error;
    error.text += ": " + words;
    if (error.evidence.contains("because"))
        error.evidence["because"] = error.evidence["because"].get<std::string>() + ": " + words;
    return error;
}

Result<void> CpuDevice::confirm(Timing& timing)
{
    const TimeRequest& request = timing.request;
    const bool own = request.candidate == request.incumbent; // the seed, or whoever compiles to the incumbent's code
    const bool baselineIsIncumbent = request.baseline == request.incumbent;
    const bool wantsVendor = request.vendor && !timing.pack.task.vendor.empty();
    const auto truth = reference(timing.pack, request.task);
    if (!truth)
        return std::unexpected(truth.error());
    if (auto swept = sweepResidues(timing); !swept)
        return swept;
    const auto timingBegun = std::chrono::steady_clock::now();
    timing.names = {"incumbent", "candidate", "vendor", "baseline"};
    for (int process = 0; process < confirmProcesses; ++process) {
        CheckPlan plan = timing.plan;
        plan.seedText += "/process " + std::to_string(process);
        std::vector<std::unique_ptr<Arena>> arenas;
        std::vector<Contestant> fast, withBaseline;
        const auto enter = [&](const char* name, const std::string& object) -> Result<void> {
            auto arena = startArena(timing.pack.task, object, timing.plan);
            if (!arena)
                return std::unexpected(arena.error());
            arenas.push_back(std::move(*arena));
            withBaseline.push_back({name, arenas.back().get()});
            if (std::string_view(name) != "baseline")
                fast.push_back(withBaseline.back());
            return {};
        };
        const auto enterArtifact = [&](const char* name, const Hash& artifact) -> Result<void> {
            const auto object = m_builder.artifactPath(artifact);
            return object ? enter(name, *object) : std::unexpected(object.error());
        };
        const auto enterVendor = [&] {
            const std::string object = vendorObject(timing.pack, timing.request.task);
            auto entered = enter("vendor", object);
            for (int again = 1; !entered && entered.error().code != "run/load" && again < vendorStarts; ++again) {
                std::this_thread::sleep_for(vendorPause);
                entered = enter("vendor", object);
            }
            if (entered)
                timing.vendorLibrary = describeVendor(arenas.back()->vendorText(), m_vendorTried);
            return entered;
        };
        if (!own)
            if (auto entered = enterArtifact("incumbent", request.incumbent); !entered)
                return entered;
        if (auto entered = enterArtifact("candidate", request.candidate); !entered)
            return entered;
        if (wantsVendor && timing.vendorMissing.empty())
            if (auto entered = enterVendor(); !entered) {
                // A library that is not there is told, and asked for again next time; all else is the node's trouble.
                if (entered.error().code != "run/load" || process > 0)
                    return std::unexpected(aboutVendor(entered.error()));
                timing.vendorMissing = entered.error().text;
            }
        if (!baselineIsIncumbent)
            if (auto entered = enterArtifact("baseline", request.baseline); !entered)
                return entered;
        CpuTimer timer(timing.pack.task, **truth, m_cores.measuring, plan.seedText);
        for (std::size_t i = 0; i < timing.records.size(); ++i) {
            ShapeRecord& record = timing.records[i];
            const auto slowest = timer.warmUp(record.shape, fast); // the baseline does not set the pace
            if (!slowest)
                return std::unexpected(slowest.error());
            record.lastNs = *slowest;
            const int voidedBefore = record.voided;
            const int repeats = timer.repeatsFor(*slowest);
            const int fewest = (*slowest > slowSampleNs ? 2 : 3) * request.repeats; // blocks in each process
            const auto end = std::chrono::steady_clock::now() + confirmShapeLimit * request.repeats / confirmProcesses;
            const int share = mostPairs * request.repeats * (process + 1) / confirmProcesses;
            // The baseline is slow and its ratio large: two blocks in each process tell it well enough. Void ones are
            // taken again, some times.
            const auto baselineIsDue = [&](int tries) {
                return withBaseline.size() > fast.size() && tries < 2 + mostVoid
                    && static_cast<int>(record.logRatios["baseline"].size()) < 2 * (process + 1);
            };
            for (int tries = 0; record.samples < share; ++tries) {
                if (timing.job.cancelled())
                    return fail("cancelled", "the measurement was cancelled");
                const bool isSlow = baselineIsDue(tries);
                auto& contestants = isSlow ? withBaseline : fast;
                std::ranges::reverse(contestants);
                auto done = timing.measure(timer, record, contestants, isSlow ? 1 : repeats);
                if (!done)
                    return std::unexpected(done.error());
                timing.job.progress("confirming",
                    static_cast<double>(process) + static_cast<double>(i) / static_cast<double>(timing.records.size()),
                    confirmProcesses);
                const BlockRatios& decisive = record.logRatios[own ? "vendor" : "incumbent"];
                const bool enough = record.blocks >= fewest * (process + 1) && !baselineIsDue(tries + 1);
                const bool late = std::chrono::steady_clock::now() > end;
                // Twice as fast needs no third digit.
                const bool farApart = enough && std::abs(median(decisive)) > std::log(2.0);
                if (enough && (late || farApart || timing.halfWidth(decisive) <= confirmFiner * timing.task.precision))
                    break;
                if (late && !enough && record.voided - voidedBefore > 3 * mostVoid)
                    return timing.unstable(record);
                const bool alone = own && (!wantsVendor || !timing.vendorMissing.empty());
                if (alone && enough && record.blocks >= 3 * (process + 1)) // void ones tell nothing
                    break;
            }
        }
        m_mhz = timing.mhzHi;
        timing.measured.add(timer.measured());
        timing.emptyCallNs = emptyCallNs(*arenas.front());
    }
    if (auto swept = sweepPairs(timing, std::chrono::steady_clock::now() - timingBegun); !swept)
        return swept;
    timing.shareRatios();
    if (const ShapeRecord* record = timing.lacking("baseline"); record)
        return timing.unstable(*record); // without it there is no score
    return {};
}

Result<void> CpuDevice::audit(Timing& timing)
{
    const auto truth = reference(timing.pack, timing.request.task);
    const auto object = m_builder.artifactPath(timing.request.candidate);
    if (!truth || !object)
        return std::unexpected(truth ? object.error() : truth.error());
    for (int process = 0; process < confirmProcesses; ++process) {
        CheckPlan plan = timing.plan;
        plan.seedText += "/audit " + std::to_string(process);
        plan.all = true;
        auto arena = startArena(timing.pack.task, *object, plan);
        if (!arena)
            return std::unexpected(arena.error());
        const auto passed = Checker(timing.pack.task, **truth, **arena).check(plan);
        if (!passed)
            return std::unexpected(passed.error());
        timing.measured.add(passed->measured);
    }
    return {};
}

void CpuDevice::judge(Timing& timing, EvaluationResult& result)
{
    // One probe may have been disturbed and read low; the highest of all is what the core can do.
    m_peakMhz = std::max(m_peakMhz, timing.mhzHi);
    const auto judged = [&] {
        timing.judge(result, m_noise.margin(), [&](const Shape& shape) {
            return floorNs(timing.task, shape, m_peakMhz, m_limits->outerGigabytesPerSecond);
        });
    };
    judged();
    if (result.rule != "time/roofline")
        return;
    // Nobody is called too fast by one reading of the memory: it may have been disturbed, and read low.
    const CpuLimits again = measuredCpuLimits(m_cores.measuring, m_facts.l2Bytes);
    m_limits->gigaflopsPerSecond = std::max(m_limits->gigaflopsPerSecond, again.gigaflopsPerSecond);
    m_limits->gigabytesPerSecond = std::max(m_limits->gigabytesPerSecond, again.gigabytesPerSecond);
    m_limits->outerGigabytesPerSecond = std::max(m_limits->outerGigabytesPerSecond, again.outerGigabytesPerSecond);
    judged();
}

} // namespace tilewright
