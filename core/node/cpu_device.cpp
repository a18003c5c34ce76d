// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/cpu_device.h"

#include "core/base/files.h"
#include "core/node/core_clock.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

namespace tilewright {

CpuDevice::CpuDevice(const Sandbox& sandbox, const Builder& builder, std::filesystem::path worker, std::string secret)
    : m_sandbox(sandbox)
    , m_builder(builder)
    , m_worker(std::move(worker))
    , m_secret(std::move(secret))
    , m_facts(readCpuFacts())
    , m_cores(splitCores())
    , m_floor(m_noise.value())
{
}

CpuDevice::~CpuDevice()
{
    if (m_lock >= 0)
        close(m_lock);
}

HelloReply::Device CpuDevice::describe() const
{
    HelloReply::Device device;
    device.id = id;
    device.name = m_facts.model.empty() ? "CPU" : m_facts.model;
    device.arch = "native";
    device.isolation = m_sandbox.isolation();
    device.facts = {{"features", m_facts.features}, {"cores", m_facts.cores}, {"measuring_core", m_cores.measuring},
        {"l1d_bytes", m_facts.l1dBytes}, {"l2_bytes", m_facts.l2Bytes}, {"l3_bytes", m_facts.l3Bytes},
        {"memory_bytes", m_facts.memoryBytes}, {"compiler", m_builder.compiler()},
        {"isolation_reason", m_sandbox.reason()}, {"builds_wait_for_timing", m_cores.builders.empty()}};
    return device;
}

Telemetry CpuDevice::telemetry() const
{
    Telemetry telemetry;
    telemetry.device = id;
    telemetry.mhz = m_mhz;
    telemetry.noiseFloor = m_floor;
    telemetry.isolation = m_sandbox.isolation();
    return telemetry;
}

void CpuDevice::acquire()
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<std::size_t>(m_cores.clock), &set);
    sched_setaffinity(0, sizeof set, &set);
    const sched_param priority{nodePriority};
    if (sched_setscheduler(0, SCHED_FIFO, &priority) == 0)
        m_priority = "real-time";
    else if (setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), -10) == 0)
        m_priority = "raised";
    const std::filesystem::path path = std::filesystem::temp_directory_path()
        / ("tilewright-" + std::to_string(getuid()) + "-cpu" + std::to_string(m_cores.measuring) + ".lock");
    m_lock = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
}

std::string CpuDevice::seedText(const std::string& evaluation) const { return hmacSha256(m_secret, evaluation).hex(); }

Result<std::shared_ptr<const Reference>> CpuDevice::reference(const TaskPack& pack, const Hash& task)
{
    if (const auto known = m_references.find(task); known != m_references.end())
        return known->second;
    if (auto product = checkIsProduct(pack.task); !product)
        return std::unexpected(product.error());
    if (auto strict = calibrateGates(pack.task); !strict)
        return std::unexpected(strict.error());
    auto loaded = Reference::load(m_builder, pack);
    if (loaded)
        m_references[task] = *loaded;
    return loaded;
}

Result<std::unique_ptr<Arena>> CpuDevice::startArena(
    const Task& task, const std::string& object, const CheckPlan& plan) const
{
    return Arena::start(m_sandbox, m_worker, object, task, Checker::shapesOf(task, plan), m_cores);
}

nlohmann::json CpuDevice::environment(const Task& task) const
{
    return {{"device", describe().name}, {"device_id", id}, {"class", "cpu"}, {"compiler", m_builder.compiler()},
        {"isolation", m_sandbox.isolation()}, {"mode", task.timingMode}, {"threads", task.threads},
        {"clock", "node, CLOCK_MONOTONIC"}, {"measuring_core", m_cores.measuring}, {"priority", m_priority}};
}

namespace {

CheckReply refusedCheck(std::int64_t id, const Error& error)
{
    CheckReply reply;
    reply.id = id;
    reply.rule = error.code;
    reply.text = error.text;
    reply.evidence = error.evidence;
    return reply;
}

/// Waits for the device's lock without starving a cancel.
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

/// Holds the device's lock for one job.
class DeviceLock
{
public:
    DeviceLock(int fd, const DeviceJob& job)
        : m_fd(fd)
        , m_held(fd < 0 || lockDevice(fd, job))
    {
    }
    ~DeviceLock()
    {
        if (m_fd >= 0 && m_held)
            flock(m_fd, LOCK_UN);
    }
    DeviceLock(const DeviceLock&) = delete;
    DeviceLock& operator=(const DeviceLock&) = delete;
    bool held() const { return m_held; }

private:
    int m_fd;
    bool m_held;
};

} // namespace

CheckReply CpuDevice::check(const CheckRequest& request, const TaskPack& pack, const DeviceJob& job)
{
    const auto start = std::chrono::steady_clock::now();
    const DeviceLock lock(m_lock, job);
    if (!lock.held())
        return refusedCheck(request.id, {"cancelled", "the check was cancelled", "", nullptr});
    const auto truth = reference(pack, request.task);
    const auto object = m_builder.artifactPath(request.artifact);
    if (!truth || !object)
        return refusedCheck(request.id, truth ? object.error() : truth.error());
    CheckPlan plan;
    plan.seedText = seedText(request.evaluation);
    plan.all = request.all;
    plan.cancelled = job.cancelled;
    plan.progress = [&](double done, double of) { job.progress("checking", done, of); };
    auto arena = startArena(pack.task, *object, plan);
    if (!arena)
        return refusedCheck(request.id, arena.error());
    const auto passed = Checker(pack.task, **truth, **arena).check(plan);
    CheckReply reply = passed ? CheckReply{} : refusedCheck(request.id, passed.error());
    reply.id = request.id;
    reply.ok = passed.has_value();
    if (passed)
        reply.passed = *passed;
    reply.wallNs = (std::chrono::steady_clock::now() - start).count();
    return reply;
}

// ---- Timing ------------------------------------------------------------------------------------------------------

namespace {

constexpr int screenRounds = 4, slowRounds = 2;
constexpr double slowSweepNs = 5e7; ///< of the slower program over all shapes
constexpr double slowSampleNs = 3e6;
constexpr int mostVoid = 6; ///< voided blocks of one shape before the machine is called too busy
constexpr int confirmProcesses = 3;
constexpr int mostPairs = 200;
constexpr double confirmHalfWidth = 0.0025;
constexpr auto confirmShapeLimit = std::chrono::seconds(5);

/// Everything measured on one shape.
struct ShapeRecord {
    Shape shape;
    ShapeSplit split = ShapeSplit::Train;
    std::vector<std::vector<double>> times; ///< by contestant, one median a block
    std::map<std::string, BlockRatios> logRatios; ///< other / candidate
    BlockRatios self; ///< incumbent's halves against each other
    int samples = 0, voided = 0;
    double lastNs = 0; ///< slowest contestant's sample, to choose the repeats
};

/// What the hand-over itself costs: median of 15 calls that do nothing. Shown, never subtracted.
double emptyCallNs(Arena& arena)
{
    std::vector<double> times;
    for (int i = 0; i < 15; ++i)
        if (const auto time = arena.emptyCall())
            times.push_back(static_cast<double>(time->count()));
    return median(std::move(times));
}

double halfWidth(const BlockRatios& ratios, std::uint64_t seed)
{
    const auto interval = geometricMeanRatio({ratios}, seed, 200);
    return interval ? (interval->hi - interval->lo) / 2 / interval->value : 1;
}

} // namespace

struct CpuDevice::Timing {
    Timing(const TimeRequest& what, const TaskPack& of, const DeviceJob& forWhom)
        : request(what)
        , pack(of)
        , job(forWhom)
    {
    }

    const TimeRequest& request;
    const TaskPack& pack;
    const DeviceJob& job;
    CheckPlan plan;
    std::vector<ShapeRecord> records;
    std::vector<std::string> names; ///< contestants, the candidate last of the fast pair
    nlohmann::json blocks = nlohmann::json::array();
    std::vector<double> noiseRatios;
    double mhzLo = 1e9, mhzHi = 0;
    std::int64_t launches = 0;
    double emptyCallNs = 0;
    std::uint64_t seed = 1;
    bool audited = false;
    std::string lastVoid; ///< why a block was void

    /// Runs one block and files it; false when it was void.
    Result<bool> measure(CpuTimer& timer, ShapeRecord& record, std::vector<Contestant>& contestants, int repeats)
    {
        auto block = timer.block(record.shape, contestants, repeats);
        if (!block)
            return std::unexpected(block.error());
        launches += block->launches;
        mhzLo = std::min(mhzLo, block->mhzLo);
        mhzHi = std::max(mhzHi, block->mhzHi);
        nlohmann::json ns;
        for (std::size_t i = 0; i < contestants.size(); ++i)
            ns[contestants[i].name] = std::llround(block->medianNs[i]);
        blocks.push_back(
            {{"shape", record.shape}, {"ns", ns}, {"mhz", {std::llround(block->mhzLo), std::llround(block->mhzHi)}},
                {"void", block->voided.empty() ? nlohmann::json(nullptr) : nlohmann::json(block->voided)}});
        if (!block->voided.empty()) {
            ++record.voided;
            lastVoid = block->voided;
            return false;
        }
        file(record, contestants, *block, repeats);
        return true;
    }

    void file(ShapeRecord& record, const std::vector<Contestant>& contestants, const Block& block, int repeats)
    {
        double candidate = 0;
        for (std::size_t i = 0; i < contestants.size(); ++i)
            if (contestants[i].name == "candidate")
                candidate = block.medianNs[i];
        for (std::size_t i = 0; i < contestants.size(); ++i) {
            record.logRatios[contestants[i].name].push_back(std::log(block.medianNs[i] / candidate));
            record.times.resize(std::max(record.times.size(), names.size()));
            const auto slot = std::ranges::find(names, contestants[i].name) - names.begin();
            record.times[static_cast<std::size_t>(slot)].push_back(block.medianNs[i]);
        }
        record.lastNs = *std::ranges::max_element(block.medianNs);
        record.samples += 2 * repeats;
        record.self.push_back(block.selfLogRatio);
    }

    std::unexpected<Error> unstable(const ShapeRecord& record) const
    {
        return fail("time/unstable",
            "the machine was too busy to measure " + shapeText(record.shape) + ": " + std::to_string(record.voided)
                + " blocks were void, the last because " + lastVoid,
            "stop other programs on this machine, or try again");
    }

    std::vector<BlockRatios> ratios(const std::string& name, ShapeSplit split) const
    {
        std::vector<BlockRatios> list;
        for (const ShapeRecord& record : records)
            if (record.split == split) {
                const auto found = record.logRatios.find(name);
                list.push_back(found == record.logRatios.end() ? BlockRatios{} : found->second);
            }
        return list;
    }

    std::optional<Interval> ratio(const std::string& name, ShapeSplit split) const
    {
        const auto list = ratios(name, split);
        return list.empty() ? std::nullopt : geometricMeanRatio(list, seed + static_cast<std::uint64_t>(split));
    }
};

Result<TimeReply> CpuDevice::time(const TimeRequest& request, const TaskPack& pack, const DeviceJob& job)
{
    const auto start = std::chrono::steady_clock::now();
    const DeviceLock lock(m_lock, job);
    if (!lock.held())
        return fail("cancelled", "the measurement was cancelled");
    if (const auto truth = reference(pack, request.task); !truth)
        return std::unexpected(truth.error());
    Timing timing(request, pack, job);
    timing.plan.seedText = seedText(request.evaluation);
    timing.plan.cancelled = job.cancelled;
    timing.seed = sampleSeed(timing.plan.seedText, {}, 1);
    const bool confirming = request.purpose != Purpose::Screen && request.purpose != Purpose::Noise;
    for (const Shape& shape : pack.task.train)
        timing.records.push_back({shape, ShapeSplit::Train, {}, {}, {}, 0, 0, 0});
    for (const Shape& shape : confirming ? pack.task.heldout : std::vector<Shape>{})
        timing.records.push_back({shape, ShapeSplit::Heldout, {}, {}, {}, 0, 0, 0});
    TimeReply reply;
    reply.id = request.id;
    const auto measured = confirming ? confirm(timing) : screen(timing);
    if (measured) {
        judge(timing, reply.result);
        if (reply.result.outcome == Outcome::Quarantined)
            if (auto audited = audit(timing); audited)
                judge(timing, reply.result);
    }
    if (!measured) {
        const Error& error = measured.error();
        const bool ours = error.code == "time/unstable" || error.code == "cancelled"
            || error.code == "build/no-artifact" || error.code == "run/start"
            || (error.evidence.is_object() && error.evidence.value("contestant", "candidate") != "candidate");
        if (ours)
            return std::unexpected(error);
        reply.result.outcome = error.code.starts_with("run/") ? Outcome::RunFailed : Outcome::Refused;
        reply.result.rule = error.code;
        reply.result.text = error.text;
        reply.result.evidence = error.evidence;
    }
    reply.result.purpose = request.purpose;
    reply.result.artifact = request.candidate;
    reply.result.noiseFloor = m_noise.value();
    reply.result.environment = environment(pack.task);
    reply.result.environment["mhz"] = {std::llround(timing.mhzLo), std::llround(timing.mhzHi)};
    reply.result.environment["launches_checked"] = timing.launches;
    reply.result.environment["empty_call_ns"] = std::llround(timing.emptyCallNs);
    reply.result.environment["audited"] = timing.audited;
    reply.result.wallNs = (std::chrono::steady_clock::now() - start).count();
    reply.noiseRatios = timing.noiseRatios;
    reply.blocks = std::move(timing.blocks);
    return reply;
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
    const double total = screenRounds * static_cast<double>(timing.records.size());
    int rounds = screenRounds;
    for (int round = 0; round < rounds; ++round) {
        if (round % 2 == 1)
            std::ranges::reverse(contestants); // ABBA, then BAAB
        for (std::size_t i = 0; i < timing.records.size(); ++i) {
            ShapeRecord& record = timing.records[i];
            if (timing.job.cancelled())
                return fail("cancelled", "the measurement was cancelled");
            if (record.lastNs == 0) {
                const auto slowest = timer.warmUp(record.shape, contestants);
                if (!slowest)
                    return std::unexpected(slowest.error());
                record.lastNs = *slowest;
            }
            for (bool filed = false; !filed;) {
                auto done = timing.measure(timer, record, contestants, timer.repeatsFor(record.lastNs));
                if (!done)
                    return std::unexpected(done.error());
                filed = *done;
                if (!filed && record.voided > mostVoid)
                    return timing.unstable(record);
            }
            m_mhz = timing.mhzHi;
            timing.job.progress(
                "screening", round * static_cast<double>(timing.records.size()) + static_cast<double>(i) + 1, total);
        }
        // Long samples are steady ones: half the rounds tell as much. Decided by time alone, never by the result.
        double sweep = 0;
        for (const ShapeRecord& record : timing.records)
            sweep += record.lastNs;
        if (sweep > slowSweepNs)
            rounds = slowRounds;
        const auto sofar = timing.ratio("incumbent", ShapeSplit::Train);
        if (round == 0 && sofar && timing.request.stopBelow > 0 && sofar->hi < timing.request.stopBelow)
            break; // clearly below half of its island's median
    }
    double self = 0;
    for (const ShapeRecord& record : timing.records)
        self += median(record.self);
    // Half the samples on each side of the self-ratio: its spread is √2 times that of the candidate's ratio.
    const double ratio = self / static_cast<double>(timing.records.size()) / std::sqrt(2.0);
    timing.noiseRatios.push_back(ratio);
    m_noise.add(ratio);
    m_floor = m_noise.value();
    return {};
}

Result<void> CpuDevice::confirm(Timing& timing)
{
    const TimeRequest& request = timing.request;
    const bool own = request.candidate == request.incumbent; // the seed's own confirmation
    const bool baselineIsIncumbent = request.baseline == request.incumbent;
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
        if (!own)
            if (auto entered = enterArtifact("incumbent", request.incumbent); !entered)
                return entered;
        if (auto entered = enterArtifact("candidate", request.candidate); !entered)
            return entered;
        if (request.vendor && !m_vendorMissing)
            if (auto entered = enter("vendor", "vendor:" + timing.pack.task.vendor); !entered)
                m_vendorMissing = true;
        if (!own && !baselineIsIncumbent)
            if (auto entered = enterArtifact("baseline", request.baseline); !entered)
                return entered;
        CpuTimer timer(timing.pack.task, m_cores.measuring, plan.seedText);
        for (std::size_t i = 0; i < timing.records.size(); ++i) {
            ShapeRecord& record = timing.records[i];
            const auto slowest = timer.warmUp(record.shape, fast); // the baseline does not set the pace
            if (!slowest)
                return std::unexpected(slowest.error());
            record.lastNs = *slowest;
            const int repeats = timer.repeatsFor(*slowest);
            const int fewest = *slowest > slowSampleNs ? 2 : 3; // blocks in each process
            const auto end = std::chrono::steady_clock::now() + confirmShapeLimit / confirmProcesses;
            const int share = mostPairs * (process + 1) / confirmProcesses;
            for (int blocks = 0; record.samples < share; ++blocks) {
                if (timing.job.cancelled())
                    return fail("cancelled", "the measurement was cancelled");
                // The baseline is slow and its ratio large: two blocks in each process tell it well enough.
                auto& contestants = blocks < 2 ? withBaseline : fast;
                std::ranges::reverse(contestants);
                auto done = timing.measure(
                    timer, record, contestants, blocks < 2 && withBaseline.size() > fast.size() ? 1 : repeats);
                if (!done)
                    return std::unexpected(done.error());
                timing.job.progress("confirming",
                    static_cast<double>(process) + static_cast<double>(i) / static_cast<double>(timing.records.size()),
                    confirmProcesses);
                const BlockRatios& decisive = record.logRatios[own ? "vendor" : "incumbent"];
                const bool enough = decisive.size() >= static_cast<std::size_t>(fewest * (process + 1));
                const bool late = std::chrono::steady_clock::now() > end;
                // Twice as fast needs no third digit.
                const bool farApart = enough && std::abs(median(decisive)) > std::log(2.0);
                if (enough && (late || farApart || halfWidth(decisive, timing.seed) <= confirmHalfWidth))
                    break;
                if (late && record.voided > 3 * mostVoid && decisive.size() < 2)
                    return timing.unstable(record);
                if (own && !request.vendor && blocks >= 3)
                    break;
            }
        }
        m_mhz = timing.mhzHi;
        timing.emptyCallNs = emptyCallNs(*arenas.front());
    }
    for (ShapeRecord& record : timing.records) {
        if (own)
            record.logRatios["incumbent"] = record.logRatios["candidate"];
        if (own || baselineIsIncumbent)
            record.logRatios["baseline"] = record.logRatios["incumbent"];
    }
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
    }
    timing.audited = true;
    return {};
}

void CpuDevice::judge(Timing& timing, EvaluationResult& result)
{
    const bool confirming = timing.request.purpose != Purpose::Screen && timing.request.purpose != Purpose::Noise;
    const CpuTimer clock(timing.pack.task, m_cores.measuring, timing.plan.seedText);
    result.shapes.clear();
    for (const ShapeRecord& record : timing.records) {
        ShapeResult shape;
        shape.shape = record.shape;
        shape.split = record.split;
        shape.samples = record.samples;
        shape.voidBlocks = record.voided;
        const auto time = [&](const char* name) -> std::optional<double> {
            const auto slot = static_cast<std::size_t>(std::ranges::find(timing.names, name) - timing.names.begin());
            return slot < record.times.size() && !record.times[slot].empty() ? std::optional(median(record.times[slot]))
                                                                             : std::nullopt;
        };
        const auto versus = [&](const char* name) -> std::optional<Interval> {
            const auto found = record.logRatios.find(name);
            return found == record.logRatios.end() ? std::nullopt : geometricMeanRatio({found->second}, timing.seed);
        };
        shape.candidateNs = time("candidate").value_or(0);
        shape.incumbentNs = time("incumbent");
        shape.baselineNs = time("baseline");
        shape.vendorNs = time("vendor");
        shape.versusIncumbent = versus("incumbent");
        shape.versusBaseline = versus("baseline");
        shape.versusVendor = versus("vendor");
        result.shapes.push_back(std::move(shape));
    }
    result.outcome = Outcome::Ranked;
    result.versusIncumbent = timing.ratio("incumbent", ShapeSplit::Train);
    if (result.versusIncumbent)
        result.verdict = verdictOf(*result.versusIncumbent, m_noise.value());
    if (!confirming) {
        if (timing.request.incumbentScore && result.versusIncumbent)
            result.score = timesInterval(*timing.request.incumbentScore, *result.versusIncumbent);
    } else {
        result.score = timing.ratio("baseline", ShapeSplit::Train);
        result.vsVendor = timing.ratio("vendor", ShapeSplit::Train);
        result.heldoutScore = timing.ratio("baseline", ShapeSplit::Heldout);
        result.heldoutVsVendor = timing.ratio("vendor", ShapeSplit::Heldout);
    }
    for (const ShapeResult& shape : result.shapes) {
        const double floor = clock.floorNs(shape.shape);
        if (shape.candidateNs >= floor)
            continue;
        result.outcome = Outcome::Refused;
        result.rule = "time/roofline";
        result.text = shapeText(shape.shape) + " took less time than the processor's peak allows";
        result.evidence = {{"shape", shape.shape}, {"ns", shape.candidateNs}, {"floor_ns", floor}};
        return;
    }
    if (result.vsVendor && result.vsVendor->value > timing.pack.task.limits.quarantineOverVendor && !timing.audited) {
        result.outcome = Outcome::Quarantined;
        result.rule = "audit/vendor";
        result.text = "more than " + std::to_string(timing.pack.task.limits.quarantineOverVendor).substr(0, 4)
            + " times as fast as the vendor: the audit did not clear it";
    } else {
        result.rule.clear();
        result.text.clear();
    }
}

} // namespace tilewright
