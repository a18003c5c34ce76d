// SPDX-License-Identifier: Apache-2.0
// How a GPU program is timed: blocks of palindromes, screening, the noise floor. Confirming has a file of its own.
#include "core/node/cuda_timing.h"

#include "core/node/gpu_gates.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace tilewright {
namespace {

constexpr double wallShare = 0.95; ///< of the events' sum that the node's clock must have seen at least
constexpr ScreeningPace gpuPace{2, 16, 2, 1e8};
/// Samples of one contestant on one shape, beyond those that counted, before it is refused.
constexpr int mostUneven = 8;
constexpr std::size_t blocksAhead = 2; ///< while the node judges one, the worker measures the next

} // namespace

std::string cublasLtVersion(int number)
{
    // From 12.0 on 10000 for each major version, before that 1000: 13.1.0 is 130100, 11.11.3 is 12103.
    const bool isOld = number < 100'000;
    const int major = isOld ? std::min(11, number / 1000) : number / 10'000;
    const int rest = number - major * (isOld ? 1000 : 10'000);
    return std::to_string(major) + "." + std::to_string(rest / 100) + "." + std::to_string(rest % 100);
}

std::chrono::milliseconds blockLimit(const Task& task, const Shape& shape, const std::vector<std::string>& order,
    const std::map<std::string, double>& lastNs, const HotRing& ring)
{
    constexpr double slowestFlops = 5e11, aroundMs = 20, patience = 5;
    const double unknownMs = patience * 1e3 * task.flopsOf(shape) / slowestFlops;
    // Whoever runs beside the library waits until it is loaded, in each worker anew, and its proposals are tried.
    constexpr double grace = 2000, graceOfLibrary = 5000;
    double limit = std::ranges::find(order, "vendor") == order.end() ? grace : graceOfLibrary;
    for (const std::string& slot : order) {
        const auto known = lastNs.find(slot);
        const double launchMs = known == lastNs.end() ? unknownMs : std::min(unknownMs, patience * known->second / 1e6);
        limit += ring.launches * (aroundMs + slowestTruthMs(task, shape) + launchMs) + ring.held * aroundMs;
    }
    return std::chrono::milliseconds(static_cast<std::int64_t>(limit));
}

Result<void> CudaDevice::Timing::enter(
    GpuProcess& process, const CudaBuilder& builder, const std::string& slot, const Hash& artifact)
{
    if (!programs.contains(slot)) {
        auto built = builder.artifact(artifact);
        if (!built)
            return std::unexpected(built.error());
        programs[slot] = std::move(*built);
    }
    eventFloorNs = process.eventFloorNs();
    return process.load(slot, artifact, *programs[slot]);
}

Result<BlockRequest> CudaDevice::Timing::requestOf(const Shape& shape, const std::vector<std::string>& slots) const
{
    BlockRequest wanted;
    wanted.extents = extentsOnGpu(task, shape);
    if (!isProduct(task))
        wanted.elements = elementCounts(task, shape);
    wanted.dims = shape;
    if (const auto choice = vendorChoices.find(shape); choice != vendorChoices.end())
        wanted.vendorChoice = choice->second;
    for (const std::string& slot : slots)
        if (const auto program = programs.find(slot); program != programs.end()) {
            const GpuPlan* plan = program->second->planFor(shape);
            if (!plan)
                return fail("build/no-artifact", "the built program has no plan for " + shapeText(shape));
            wanted.programs[slot] = *plan;
        }
    return wanted;
}

Result<void> CudaDevice::Timing::post(GpuProcess& process, const ShapeRecord& record, const BlockField& field)
{
    auto wanted = requestOf(record.shape, field.everyone());
    if (!wanted)
        return std::unexpected(wanted.error());
    wanted->ring = record.launches;
    wanted->held = record.held;
    wanted->graph = task.timingMode == "graph";
    wanted->order = field.order();
    for (std::size_t i = 0; i < wanted->order.size(); ++i)
        wanted->seeds.push_back(sampleSeed(seedText, record.shape, ++sample));
    return process.postBlock(std::move(*wanted));
}

std::vector<Shape> CudaDevice::Timing::nearEventFloor() const
{
    constexpr double farFrom = 20;
    std::vector<Shape> shapes;
    for (const ShapeRecord& record : records)
        if (const auto slots = lastNs.find(record.shape); slots != lastNs.end())
            if (const auto own = slots->second.find("candidate");
                own != slots->second.end() && own->second * record.launches < farFrom * eventFloorNs)
                shapes.push_back(record.shape);
    return shapes;
}

Result<bool> CudaDevice::Timing::measure(GpuProcess& process, ShapeRecord& record, const BlockField& field, Nvml* nvml)
{
    if (auto posted = post(process, record, field); !posted)
        return std::unexpected(posted.error());
    return take(process, record, field, nvml);
}

Result<bool> CudaDevice::Timing::take(GpuProcess& process, ShapeRecord& record, const BlockField& field, Nvml* nvml)
{
    const auto about = [&](Error error, const std::string& slot) {
        if (!error.evidence.is_object())
            error.evidence = nlohmann::json::object();
        error.evidence["shape"] = record.shape;
        if (!slot.empty())
            error.evidence["contestant"] = slot;
        return std::unexpected(std::move(error));
    };
    const auto reply = process.takeBlock(
        blockLimit(task, record.shape, field.order(), lastNs[record.shape], {record.launches, record.held}));
    if (!reply)
        return about(reply.error(), "");
    double sum = 0;
    std::string uneven;
    LaunchSpread widest; ///< of the block's samples
    std::map<std::string, std::vector<double>> times;
    for (const BlockSample& taken : reply->samples) {
        const auto right = isProduct(task) ? checkTimed(taken, task, productShape(task, record.shape))
                                           : checkTimedOperation(taken, task, record.shape);
        if (!right)
            return about(right.error(), taken.slot);
        if (taken.slot == "candidate")
            measured.add(right->on(record.shape, nameOf(InputKind::Normal)));
        if (!(taken.ns > 0))
            return about({"time/events", "an event time is not positive", "", nullptr}, taken.slot);
        const LaunchSpread spread = launchSpread(taken.launchNs);
        widest = {std::min(widest.shortest, spread.shortest), std::max(widest.mean, spread.mean)};
        if (spread.isUneven()) {
            uneven = unevenWords(taken.launchNs);
            if (++record.uneven[taken.slot] > mostUneven + record.samples)
                return about({"time/uneven", "some launches did the work of other launches: " + uneven,
                                 "each launch must compute its own result", {{"launch_ns", taken.launchNs}}},
                    taken.slot);
        }
        sum += taken.ns * taken.launches;
        launches += taken.launches;
        times[taken.slot].push_back(taken.ns);
    }
    if (reply->vendorVersion > 0)
        vendorVersion = reply->vendorVersion;
    if (reply->vendorChoice >= 0)
        vendorChoices.emplace(record.shape, reply->vendorChoice);
    if (process.busyWallNs() < wallShare * process.busyEventsNs())
        return about({"time/clock", "less time passed on the node's clock than the events report", "",
                         {{"wall_ns", process.busyWallNs()}, {"events_ns", process.busyEventsNs()}}},
            "candidate");
    gpuNs += sum;
    for (const auto& [what, ns] : reply->spentNs)
        spentNs[what] += ns;
    wallNs += process.wallNs();
    for (const double mhz : {reply->mhzBefore, reply->mhzAfter})
        if (mhz > 0) {
            mhzLo = std::min(mhzLo, mhz);
            mhzHi = std::max(mhzHi, mhz);
        }
    const GpuTelemetry reading = nvml ? nvml->recent() : GpuTelemetry{};
    ++blocksTaken;
    blocksUnread += reading.reasons ? 0 : 1;
    const std::string slow = Nvml::slowdown(reading.reasons.value_or(0));
    const std::string& disturbed = slow.empty() ? uneven : slow;
    std::vector<double> medians;
    std::vector<std::vector<double>> logRatios;
    nlohmann::json ns;
    const std::vector<std::string> contestants = field.everyone();
    for (const std::string& slot : contestants) {
        medians.push_back(median(times[slot]));
        lastNs[record.shape][slot] = medians.back();
        ns[slot] = std::llround(medians.back());
        logRatios.push_back(field.logRatios(times, slot));
    }
    blocks.push_back(
        {{"shape", record.shape}, {"ns", ns}, {"mhz", {std::llround(reply->mhzBefore), std::llround(reply->mhzAfter)}},
            {"reasons", reading.reasons ? nlohmann::json(*reading.reasons) : nlohmann::json(nullptr)},
            {"temp_c", reading.temperature ? nlohmann::json(*reading.temperature) : nlohmann::json(nullptr)},
            {"power_w", reading.watts ? nlohmann::json(*reading.watts) : nlohmann::json(nullptr)},
            {"void", disturbed.empty() ? nlohmann::json(nullptr) : nlohmann::json(disturbed)}});
    if (record.launches > 1) {
        blocks.back()["ring"] = record.launches;
        blocks.back()["launches_over_median"] = {{"shortest", widest.shortest}, {"mean", widest.mean}};
    }
    if (!disturbed.empty()) {
        fileVoid(record, disturbed);
        return false;
    }
    file(record, contestants, medians, logRatios, static_cast<int>(times["candidate"].size()));
    return true;
}

Result<void> CudaDevice::Timing::screenIn(
    GpuProcess& process, const CudaBuilder& builder, Nvml* nvml, const std::function<GpuProcess::Canary()>& nextCanary)
{
    names = {"incumbent", "candidate"};
    if (auto entered = enter(process, builder, "incumbent", request.incumbent); !entered)
        return entered;
    if (auto entered = enter(process, builder, "candidate", request.candidate); !entered)
        return entered;
    const auto fieldOf = [&](const ShapeRecord& record) { return screeningField(record.blocks, record.sampleNs()); };
    Steps steps;
    steps.post = [&](const ShapeRecord& record) { return post(process, record, fieldOf(record)); };
    steps.take = [&](ShapeRecord& record) { return take(process, record, fieldOf(record), nvml); };
    steps.posted = [&] { process.postCanary(nextCanary()); };
    steps.ahead = blocksAhead;
    const auto screened = TimingRecord::screen(gpuPace, steps);
    process.forgetPosted();
    return screened;
}

Result<void> CudaDevice::screen(Timing& timing)
{
    const auto worker = process(timing.pack, timing.request.task);
    if (!worker)
        return std::unexpected(worker.error());
    const auto screened = timing.screenIn(**worker, m_builder, m_nvml.get(), [this] { return nextCanary(); });
    if (timing.mhzHi > 0)
        m_mhz = timing.mhzHi;
    return ifSound(**worker, screened);
}

NoiseTurn CudaDevice::measureNoise(const TimeRequest& request, const TaskPack& pack, const DeviceJob& job)
{
    if (request.purpose != Purpose::Screen || !m_noiseSchedule.isDue(request.incumbent, m_noise.count()))
        return NoiseTurn::NotDue;
    const auto turn = takeTurn(job);
    if (!turn)
        return NoiseTurn::NotDue;
    const TimeRequest self = againstItself(request);
    Timing timing(self, pack, job, m_seeds.next(self.evaluation), m_vendorChoices[self.task], m_facts.l2Bytes);
    const bool screened = screen(timing).has_value();
    m_noiseNs["launches_gpu"] += timing.gpuNs;
    for (const auto& [what, ns] : timing.spentNs)
        m_noiseNs[what] += ns;
    if (!screened)
        return NoiseTurn::Taken; // what is wrong with the incumbent shows where it matters
    if (const auto ratio = timing.quickRatio()) {
        m_newNoise.push_back(std::log(ratio->value));
        m_noise.add(m_newNoise.back());
        m_floor = m_noise.measured();
    }
    return NoiseTurn::Taken;
}

std::optional<double> CudaDevice::Timing::quickScore() const
{
    const auto ratio = quickRatio();
    if (!ratio || !request.incumbentScore)
        return std::nullopt;
    return ratio->value * request.incumbentScore->value;
}

Result<TimedReply> CudaDevice::time(const TimeRequest& request, const TaskPack& pack, const DeviceJob& job)
{
    const auto turn = takeTurn(job);
    if (!turn)
        return std::unexpected(turn.error());
    const auto start = std::chrono::steady_clock::now(); // waiting for others is no work
    std::shared_ptr<Timing> timing; // shared with what judges it
    const auto attempt = [&](int) {
        const bool wasClean = timing && timing->isFoundClean();
        timing = std::make_shared<Timing>(
            request, pack, job, m_seeds.next(request.evaluation), m_vendorChoices[request.task], m_facts.l2Bytes);
        if (wasClean) // in the try before: that workers were killed since changes nothing about it
            timing->toolsPassed.emplace_back(Timing::foundClean);
        return timing->isConfirming() ? confirm(*timing) : screen(*timing);
    };
    const Result<void> measured = ifNoFault(untilTrusted(attempt, true));
    TimedReply timed;
    TimeReply& reply = timed.reply;
    const auto judge = [facts = m_facts, timing, margin = m_noise.margin()](TimeReply& judged) {
        timing->judge(judged.result, margin, [&](const Shape& shape) { return floorNs(facts, timing->task, shape); });
    };
    const auto tell = [timing](TimeReply& told) {
        timing->tell(told.result.environment);
        timing->tellTools(told.result.environment);
    };
    if (!measured) {
        if (auto refused = refuse(reply.result, measured.error()); !refused)
            return std::unexpected(refused.error());
    } else if (timing->isConfirming()) { // what is too good asks for the device once more
        judge(reply);
        if (auto looked = timing->lookInto(
                reply.result, [&] { return audit(*timing); }, [&] { judge(reply); });
            !looked)
            return std::unexpected(looked.error());
        if (request.countAbove && reply.result.outcome == Outcome::Ranked
            && reply.result.score.value_or(Interval{}).value > *request.countAbove)
            countNewBest(*timing);
    } else {
        if (request.countAbove && timing->quickScore().value_or(0) > *request.countAbove)
            countNewBest(*timing);
        timed.judge = [judge, tell](TimeReply& judged) {
            judge(judged);
            tell(judged);
        };
    }
    fill(reply, *timing);
    if (!timed.judge)
        tell(reply);
    reply.result.wallNs = (std::chrono::steady_clock::now() - start).count();
    return timed;
}

/// What is known of a measurement before it is judged.
void CudaDevice::fill(TimeReply& reply, Timing& timing)
{
    reply.id = timing.request.id;
    EvaluationResult& result = reply.result;
    result.purpose = timing.request.purpose;
    result.artifact = timing.request.candidate;
    result.noiseFloor = m_noise.measured();
    nlohmann::json& told = result.environment;
    told = environment(timing.task);
    if (timing.mhzHi > 0)
        told["mhz"] = {std::llround(timing.mhzLo), std::llround(timing.mhzHi)};
    if (timing.vendorVersion > 0)
        told["vendor_library"] = {{"name", "cublasLt"}, {"version", cublasLtVersion(timing.vendorVersion)}};
    told["event_floor_ns"] = std::llround(timing.eventFloorNs);
    told["near_event_floor"] = timing.nearEventFloor();
    told["timed_gpu_ns"] = std::llround(timing.gpuNs);
    told["timed_wall_ns"] = std::llround(timing.wallNs);
    told["timing_spent_ns"] = timing.spentNs;
    told["checking_spent_ns"] = std::exchange(m_checkingNs, {});
    told["noise_spent_ns"] = std::exchange(m_noiseNs, {});
    reply.blocks = std::move(timing.blocks);
    reply.noiseRatios = std::exchange(m_newNoise, {});
}

} // namespace tilewright
