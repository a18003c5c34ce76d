// SPDX-License-Identifier: Apache-2.0
#include "core/node/node.h"

#include "core/base/files.h"
#include "core/node/cpu_device.h"
#include "core/node/cuda_device.h"
#include "core/node/machine_trouble.h"
#include "core/protocol/gpu_trouble.h"
#include "core/protocol/killed.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <unistd.h>

namespace tilewright {
namespace {

/// 256 bits nobody can foresee, for the seeds of all inputs.
std::string drawSecret()
{
    std::string secret(32, '\0');
    std::ifstream("/dev/urandom", std::ios::binary).read(secret.data(), static_cast<std::streamsize>(secret.size()));
    return secret;
}

std::string hostName()
{
    char name[256] = "";
    gethostname(name, sizeof name - 1);
    return name;
}

constexpr auto listingPause = std::chrono::milliseconds(20); ///< between two looks whether it is a listing's turn

/// Counts while it lives.
class Counted
{
public:
    explicit Counted(std::atomic<int>& count)
        : m_count(count)
    {
        ++m_count;
    }
    ~Counted() { --m_count; }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;

private:
    std::atomic<int>& m_count;
};

} // namespace

std::string NodeSetup::leftOut() const
{
    std::string left = staticRules == StaticRules::Off ? "static rules off" : "";
    if (openReferences)
        left += left.empty() ? "references open" : ", references open";
    return left;
}

void Node::Queue::push(std::function<void()> work)
{
    {
        const std::lock_guard lock(m_mutex);
        m_work.push_back(std::move(work));
    }
    m_filled.notify_one();
}

std::optional<std::function<void()>> Node::Queue::pop()
{
    std::unique_lock lock(m_mutex);
    m_filled.wait(lock, [&] { return m_closed || !m_work.empty(); });
    if (m_closed)
        return std::nullopt;
    auto work = std::move(m_work.front());
    m_work.pop_front();
    return work;
}

void Node::Queue::close()
{
    {
        const std::lock_guard lock(m_mutex);
        m_closed = true;
    }
    m_filled.notify_all();
}

int Node::Queue::waiting() const
{
    const std::lock_guard lock(m_mutex);
    return static_cast<int>(m_work.size());
}

Node::Node(NodeSetup setup)
    : m_setup(std::move(setup))
    , m_sandbox(m_setup.worker)
    , m_cores(splitCores())
    , m_builder(m_sandbox, m_setup.cache, m_cores.builders, m_setup.staticRules)
    , m_cudaBuilder(m_sandbox, m_setup.cudaWorker, m_setup.cache, m_cores.builders, drawSecret(), m_setup.staticRules)
    , m_listingMaker(m_sandbox, m_builder, m_cudaBuilder, m_cores.builders)
{
    for (const char* name : {"tilewright-build", "tilewright-listing", "tilewright-tool"}) // of nodes that were killed
        ScratchFolder::removeLeft(name);
    const auto add = [this](std::unique_ptr<Device> device) {
        m_benches.push_back(std::make_unique<Bench>());
        m_benches.back()->device = std::move(device);
    };
    add(std::make_unique<CpuDevice>(m_sandbox, m_builder, m_setup.worker, drawSecret()));
    GpuListing listing = listGpus(m_sandbox, m_setup.cudaWorker);
    m_whyNoGpu = std::move(listing.whyNone);
    for (CudaFacts& facts : listing.gpus)
        add(std::make_unique<CudaDevice>(m_sandbox, m_cudaBuilder, m_setup.cudaWorker, drawSecret(), std::move(facts),
            m_setup.openReferences ? References::Open : References::Hidden));
    const auto work = [](Queue& queue) {
        while (auto next = queue.pop())
            (*next)();
    };
    const std::size_t builders = std::max<std::size_t>(1, m_cores.builders.size());
    for (std::size_t i = 0; i < builders; ++i)
        m_threads.emplace_back([this, work] { work(m_builds); });
    m_threads.emplace_back([this, work] {
        keepThreadOffMeasuringCore(m_cores); // long texts are read here
        work(m_listings);
    });
    for (const auto& bench : m_benches) {
        m_threads.emplace_back([work, bench = bench.get()] {
            bench->device->acquire();
            work(bench->measurements);
        });
        m_threads.emplace_back([this, work, bench = bench.get()] {
            keepThreadOffMeasuringCore(m_cores);
            work(bench->judgements);
        });
    }
    m_threads.emplace_back([this](std::stop_token stop) { beat(stop); });
}

Node::~Node()
{
    {
        const std::lock_guard lock(m_state);
        m_cancelled.insert(-1); // a listing that lets builds pass would wait for those that never come
    }
    m_builds.close();
    m_listings.close();
    for (const auto& bench : m_benches) {
        bench->measurements.close();
        bench->judgements.close();
    }
}

int Node::serve()
{
    FrameReader reader;
    char buffer[65536];
    for (;;) {
        const ssize_t count = read(m_setup.inputFd, buffer, sizeof buffer);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            break;
        reader.append({buffer, static_cast<std::size_t>(count)});
        for (;;) {
            auto frame = reader.next();
            if (!frame) {
                sendFailure(0, frame.error());
                return 1; // the stream cannot be trusted any more
            }
            if (!*frame)
                break;
            take(**frame);
        }
    }
    // The engine is gone: nobody waits for what still runs.
    const std::lock_guard lock(m_state);
    m_cancelled.insert(-1);
    return 0;
}

bool Node::take(const Frame& frame)
{
    if (frame.json.value("op", "") == "blob") {
        const std::lock_guard lock(m_state);
        m_blobs[sha256(frame.blob)] = frame.blob;
        return true;
    }
    auto request = requestFromJson(frame.json);
    if (!request) {
        const nlohmann::json id = frame.json.value("id", nlohmann::json());
        sendFailure(id.is_number_integer() ? id.get<std::int64_t>() : 0, request.error());
        return false;
    }
    std::visit([this](const auto& known) { handle(known); }, *request);
    return true;
}

void Node::handle(const HelloRequest&)
{
    HelloReply hello;
    hello.host = hostName();
    for (const auto& bench : m_benches)
        hello.devices.push_back(bench->device->describe());
    if (const std::string left = m_setup.leftOut(); !left.empty())
        for (HelloReply::Device& device : hello.devices) {
            device.isolation += ", " + left;
            device.facts[onlyForProofs] = left;
        }
    hello.builders = static_cast<int>(std::max<std::size_t>(1, m_cores.builders.size()));
    hello.whyNoGpu = m_whyNoGpu.text;
    hello.noGpuHint = m_whyNoGpu.hint;
    send(toJson(hello));
}

void Node::handle(const BuildRequest& request)
{
    m_builds.push([this, request] { build(request); });
}

void Node::build(const BuildRequest& request)
{
    if (isCancelled(request.id))
        return sendFailure(request.id, {"cancelled", "the build was cancelled", "", nullptr});
    const Counted counted(m_building);
    std::shared_lock<std::shared_mutex> gate(m_timing, std::defer_lock);
    if (m_cores.buildsWait())
        gate.lock();
    const auto start = std::chrono::steady_clock::now();
    const auto program = programOf(request.task, request.program);
    if (!program)
        return sendFailure(request.id, program.error());
    const BuildOutcome outcome = buildFor(request, program->pack->task, program->source);
    if (isNodesOwnRule(outcome.rule))
        return sendFailure(request.id, {outcome.rule, outcome.text, outcome.hint, outcome.evidence});
    BuildReply reply;
    reply.id = request.id;
    reply.ok = outcome.ok;
    reply.rule = outcome.rule;
    reply.text = outcome.text;
    reply.evidence = outcome.evidence;
    reply.artifact = outcome.artifact;
    reply.cached = outcome.cached;
    reply.resources = outcome.resources;
    reply.warnings = outcome.warnings;
    if (!outcome.log.empty()) {
        reply.log = sha256(outcome.log);
        sendBlob(outcome.log);
    }
    reply.wallNs = (std::chrono::steady_clock::now() - start).count();
    send(toJson(reply));
}

Result<Node::Program> Node::programOf(const Hash& task, const Hash& program)
{
    auto known = pack(task);
    if (!known)
        return std::unexpected(known.error());
    const std::lock_guard lock(m_state);
    const auto found = m_blobs.find(program);
    if (found == m_blobs.end())
        return fail("protocol/no-blob", "the program's text was not sent");
    return Program{std::move(*known), found->second};
}

BuildOutcome Node::buildFor(const BuildRequest& request, const Task& task, const std::string& source)
{
    const auto cancelled = [this, id = request.id] { return isCancelled(id); };
    if (task.target != Target::Cuda)
        return m_builder.buildCandidate(task, source, cancelled);
    const auto fit = bench(request.device, task);
    if (fit)
        return m_cudaBuilder.buildCandidate(
            task, source, static_cast<const CudaDevice&>(*(*fit)->device).facts(), cancelled);
    BuildOutcome outcome;
    outcome.rule = fit.error().code;
    outcome.text = fit.error().line();
    return outcome;
}

Result<Node::Bench*> Node::bench(const std::string& id, const Task& task)
{
    for (const auto& bench : m_benches)
        if (bench->device->target() == task.target && (id.empty() || bench->device->id() == id))
            return bench.get();
    if (task.target == Target::Cuda && !m_whyNoGpu.code.empty())
        return std::unexpected(m_whyNoGpu);
    return fail("device/missing", "no device '" + id + "' for tasks with target " + nameOf(task.target));
}

void Node::measure(const Hash& hash, const std::string& device, std::int64_t id,
    std::function<void(Bench&, const std::shared_ptr<const TaskPack>&)> work)
{
    const auto task = pack(hash);
    if (!task)
        return sendFailure(id, task.error());
    const auto fit = bench(device, (*task)->task);
    if (!fit)
        return sendFailure(id, fit.error());
    (*fit)->measurements.push([this, bench = *fit, pack = *task, work = std::move(work)] {
        const Counted counted(m_measuring);
        // A GPU's worker needs a core, but not all of one: only the CPU's figures suffer from builds beside them.
        std::unique_lock<std::shared_mutex> gate(m_timing, std::defer_lock);
        if (m_cores.buildsWait() && bench->device->target() == Target::Cpp) {
            const Counted wanting(m_quietWanted);
            gate.lock();
        }
        work(*bench, pack);
    });
}

void Node::handle(const CheckRequest& request)
{
    if (const auto task = pack(request.task))
        if (const auto fit = bench(request.device, (*task)->task))
            (*fit)->device->foresee(request, **task);
    measure(request.task, request.device, request.id, [this, request](Bench& bench, const auto& pack) {
        const CheckReply reply = bench.device->check(request, *pack, job(request.id));
        if (!reply.ok && isNodesOwnRule(reply.rule))
            return sendFailure(request.id,
                {reply.rule, reply.text, isMachineTrouble(reply.rule) ? remedyFor(reply.rule) : gpuRemedy(reply.rule),
                    reply.evidence});
        send(toJson(reply));
    });
}

void Node::handle(const TimeRequest& request)
{
    measure(request.task, request.device, request.id, [this, request](Bench& bench, const auto& pack) {
        auto timed = bench.device->time(request, *pack, job(request.id));
        if (!timed)
            return sendFailure(request.id, timed.error());
        bench.judgements.push([this, pack, timed = std::move(*timed)]() mutable {
            TimeReply reply = judged(std::move(timed));
            if (const std::string left = m_setup.leftOut(); !left.empty())
                reply.result.environment[onlyForProofs] = left;
            send(toJson(reply));
        });
        DeviceJob quiet;
        quiet.cancelled = [this, id = request.id] { return isCancelled(id); };
        const auto start = std::chrono::steady_clock::now();
        if (bench.device->measureNoise(request, *pack, quiet) == NoiseTurn::Taken)
            send(toJson(NoiseRun{bench.device->id(), (std::chrono::steady_clock::now() - start).count()}));
    });
}

void Node::handle(const ListingRequest& request)
{
    m_listings.push([this, request] { list(request); });
}

void Node::letBuildsPass(std::int64_t listing)
{
    const int builders = static_cast<int>(std::max<std::size_t>(1, m_cores.builders.size()));
    while (!isCancelled(listing) && (m_builds.waiting() > 0 || m_building >= builders))
        std::this_thread::sleep_for(listingPause);
}

void Node::list(const ListingRequest& request)
{
    const auto start = std::chrono::steady_clock::now();
    const auto program = programOf(request.task, request.program);
    if (!program)
        return sendFailure(request.id, program.error());
    const bool sharesACore = m_cores.buildsWait();
    for (;;) {
        letBuildsPass(request.id);
        if (isCancelled(request.id))
            return sendFailure(request.id, {"cancelled", "the listing was cancelled", "", nullptr});
        std::shared_lock<std::shared_mutex> gate(m_timing, std::defer_lock);
        if (sharesACore && !gate.try_lock()) {
            std::this_thread::sleep_for(listingPause);
            continue;
        }
        bool gaveWay = false;
        const auto listing = m_listingMaker.make(request, program->pack->task, program->source, [&] {
            gaveWay = gaveWay || (sharesACore && (m_quietWanted > 0 || m_builds.waiting() > 0));
            return gaveWay || isCancelled(request.id);
        });
        if (!listing && gaveWay)
            continue; // what is measured goes first: once more, later
        if (!listing)
            return sendFailure(request.id, listing.error());
        return send(toJson(ListingReply{request.id, *listing, (std::chrono::steady_clock::now() - start).count()}));
    }
}

void Node::handle(const CancelRequest& request)
{
    const std::lock_guard lock(m_state);
    m_cancelled.insert(request.id);
}

Result<std::shared_ptr<const TaskPack>> Node::pack(const Hash& task)
{
    const std::lock_guard lock(m_state);
    if (const auto known = m_packs.find(task); known != m_packs.end())
        return known->second;
    const auto blob = m_blobs.find(task);
    if (blob == m_blobs.end())
        return fail("protocol/no-blob", "the task pack was not sent");
    auto pack = TaskPack::fromBlob(blob->second);
    if (!pack)
        return std::unexpected(pack.error());
    if (auto possible = checkCanBeEvaluated(pack->task); !possible)
        return std::unexpected(possible.error());
    return m_packs[task] = std::make_shared<const TaskPack>(std::move(*pack));
}

DeviceJob Node::job(std::int64_t id)
{
    DeviceJob job;
    job.cancelled = [this, id] { return isCancelled(id); };
    struct Told {
        std::chrono::steady_clock::time_point when;
        std::string stage;
    };
    job.progress = [this, id, last = std::make_shared<Told>()](const std::string& stage, double done, double of) {
        const auto now = std::chrono::steady_clock::now();
        // A stage that begins is told at once, but two that alternate are no flood.
        if (now - last->when < std::chrono::milliseconds(stage == last->stage ? 500 : 20))
            return;
        *last = {now, stage};
        send(toJson(Progress{id, stage, done, of}));
    };
    return job;
}

bool Node::isCancelled(std::int64_t id)
{
    const std::lock_guard lock(m_state);
    return m_cancelled.contains(id) || m_cancelled.contains(-1);
}

void Node::send(const nlohmann::json& json) { sendBytes(encodeFrame(json)); }

void Node::sendBlob(const std::string& bytes)
{
    const Hash hash = sha256(bytes);
    {
        const std::lock_guard lock(m_state);
        if (!m_sentBlobs.insert(hash).second)
            return;
    }
    sendBytes(encodeBlob(hash, bytes));
}

void Node::sendBytes(const std::string& bytes)
{
    const std::lock_guard lock(m_sending);
    for (std::size_t sent = 0; sent < bytes.size();) {
        const ssize_t count = write(m_setup.outputFd, bytes.data() + sent, bytes.size() - sent);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return; // nobody listens: the input will end as well
        sent += static_cast<std::size_t>(count);
    }
}

void Node::sendFailure(std::int64_t id, const Error& error)
{
    send(toJson(Failure{id, error.code, error.text, error.evidence, error.code == "device/lost", error.hint}));
}

void Node::beat(std::stop_token stop)
{
    while (!stop.stop_requested()) {
        for (const auto& bench : m_benches) {
            Telemetry telemetry = bench->device->telemetry();
            telemetry.building = m_building;
            telemetry.measuring = m_measuring;
            telemetry.queued = m_builds.waiting() + bench->measurements.waiting();
            send(toJson(telemetry));
        }
        for (int i = 0; i < 10 && !stop.stop_requested(); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
}

} // namespace tilewright
