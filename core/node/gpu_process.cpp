// SPDX-License-Identifier: Apache-2.0
#include "core/node/gpu_process.h"

#include "core/node/gpu_tool_output.h"
#include "core/protocol/gpu_trouble.h"

#include <algorithm>

namespace tilewright {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr auto gpuStartLimit = 30s; ///< contexts of several processes are made one after another
constexpr auto stepLimit = 30s;
constexpr auto canaryLimit = 5s;
constexpr std::size_t ahead = 2; ///< requests that are posted before the first of them is answered

CudaFacts factsFrom(const nlohmann::json& json)
{
    CudaFacts facts;
    facts.uuid = json.at("uuid");
    facts.name = json.at("name");
    facts.major = json.at("major");
    facts.minor = json.at("minor");
    facts.sms = json.at("sms");
    facts.memoryBytes = json.at("memory_bytes");
    facts.l2Bytes = json.at("l2_bytes");
    facts.sharedPerBlock = json.at("shared_per_block");
    facts.sharedPerSm = json.at("shared_per_sm");
    facts.reservedSharedPerBlock = json.at("reserved_shared_per_block");
    facts.registersPerSm = json.at("registers_per_sm");
    facts.threadsPerSm = json.at("threads_per_sm");
    facts.blocksPerSm = json.at("blocks_per_sm");
    facts.clockKhz = json.at("clock_khz");
    facts.memoryClockKhz = json.at("memory_clock_khz");
    facts.memoryBusBits = json.at("memory_bus_bits");
    facts.pageableAccess = json.at("pageable_access");
    facts.kernelTimeout = json.at("kernel_timeout");
    facts.driver = json.at("driver");
    return facts;
}

/// A reply in its type, or the error that it cannot be read.
template <typename Read> auto typed(const Result<WorkerReply>& reply, Read read) -> Result<decltype(read(reply->json))>
{
    if (!reply)
        return std::unexpected(reply.error());
    try {
        return read(reply->json);
    } catch (const std::exception& problem) {
        return fail("run/nonsense", std::string("the GPU worker sent an invalid reply: ") + problem.what());
    }
}

/// Bytes that came with a reply which names them.
Result<std::vector<std::string>> bytesOf(const WorkerReply& reply, const std::vector<Hash>& hashes)
{
    std::vector<std::string> all;
    for (const Hash& hash : hashes) {
        const auto bytes = reply.blobs.find(hash);
        if (bytes == reply.blobs.end())
            return fail("run/nonsense", "the GPU worker did not send the outputs that it announced");
        all.push_back(bytes->second);
    }
    return all;
}

} // namespace

std::vector<fs::path> gpuDeviceFiles(std::optional<unsigned> minorNumber, const fs::path& folder)
{
    std::vector<fs::path> files;
    std::error_code problem;
    const fs::path only = minorNumber ? folder / ("nvidia" + std::to_string(*minorNumber)) : fs::path();
    const bool hasOnly = minorNumber && fs::exists(only, problem);
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, problem)) {
        const std::string name = entry.path().filename().string();
        const bool numbered = (!hasOnly || entry.path() == only) && name.starts_with("nvidia") && name.size() > 6
            && std::ranges::all_of(name.substr(6), [](char c) { return c >= '0' && c <= '9'; });
        if (numbered || name == "nvidiactl" || name == "nvidia-uvm" || name == "nvidia-uvm-tools")
            files.push_back(entry.path());
    }
    return files;
}

GpuListing listGpus(const Sandbox& sandbox, const fs::path& worker)
{
    GpuListing listing;
    std::error_code problem;
    if (!fs::exists("/dev/nvidiactl", problem)) {
        listing.whyNone = {"device/missing", "there is no NVIDIA GPU on this machine (/dev/nvidiactl does not exist)",
            "GPU tasks need one; CPU tasks do not", nullptr};
        return listing;
    }
    WorkerSetup setup;
    setup.worker = worker;
    setup.arguments = {"devices"};
    setup.libraries = searchedFolders();
    setup.devices = gpuDeviceFiles();
    const auto channel = WorkerChannel::start(sandbox, setup, gpuStartLimit);
    if (!channel) {
        listing.whyNone = withVisibility(channel.error());
        return listing;
    }
    try {
        for (const nlohmann::json& device : (*channel)->greeting().at("devices"))
            listing.gpus.push_back(factsFrom(device));
    } catch (const nlohmann::json::exception& nonsense) {
        listing.whyNone = {"device/driver", std::string("the GPUs cannot be listed: ") + nonsense.what(), "", nullptr};
    }
    for (const CudaFacts& gpu : listing.gpus)
        if (auto trouble = driverTrouble(gpu.driver)) {
            listing = {{}, std::move(*trouble)};
            break;
        }
    if (listing.gpus.empty() && listing.whyNone.code.empty())
        listing.whyNone = withVisibility(gpuTrouble("device/missing", "the NVIDIA driver reports no GPU"));
    return listing;
}

Result<std::unique_ptr<GpuProcess>> GpuProcess::start(const Sandbox& sandbox, const GpuProcessSetup& setup)
{
    WorkerSetup worker;
    worker.worker = setup.worker;
    worker.arguments = {"gpu", setup.facts.uuid};
    worker.libraries = setup.libraries;
    worker.devices = gpuDeviceFiles(setup.minorNumber);
    worker.stuck = setup.stuck;
    worker.isFirstProcess = setup.isFirstProcess;
    auto channel = WorkerChannel::start(sandbox, worker, gpuStartLimit);
    if (!channel)
        return std::unexpected(channel.error());
    std::unique_ptr<GpuProcess> process(new GpuProcess(std::move(*channel)));
    WorkerChannel& ask = *process->m_channel;
    const auto kernels = ask.ask({{"op", "kernels"}, {"kernels", sha256(setup.kernels).hex()},
                                     {"reference", sha256(setup.reference).hex()}, {"formats", toJson(setup.formats)}},
        {WorkerBlob{setup.kernels}, WorkerBlob{setup.reference}}, stepLimit);
    if (!kernels)
        return std::unexpected(kernels.error());
    const auto memory = ask.ask({{"op", "allocate"}, {"bytes", setup.bufferBytes}, {"often_hidden", setup.oftenHidden},
                                    {"hidden", setup.hiddenBytes}},
        {}, stepLimit);
    if (!memory)
        return std::unexpected(memory.error());
    if (setup.openReferences) {
        auto where = typed(ask.ask({{"op", "leave_references_open"}}, {}, stepLimit), [](const nlohmann::json& json) {
            return nlohmann::json{
                {"at", json.at("at").get<std::uint64_t>()}, {"bytes", json.at("bytes").get<std::uint64_t>()}};
        });
        if (!where)
            return std::unexpected(where.error());
        process->m_openReferences = std::move(*where);
    }
    const auto floor = typed(ask.ask({{"op", "event_floor"}}, {}, stepLimit),
        [](const nlohmann::json& json) { return json.at("ns").get<double>(); });
    if (!floor)
        return std::unexpected(floor.error());
    process->m_eventFloorNs = *floor;
    return process;
}

Result<void> GpuProcess::load(const std::string& slot, const Hash& hash, const CudaArtifact& artifact)
{
    auto known = m_loaded.find(slot);
    if (known != m_loaded.end() && known->second.artifact == hash)
        return {};
    if (std::ranges::find(m_loading, slot) != m_loading.end()) { // what failed to load has lost nothing to be parked
        if (auto before = awaitBefore(false); !before)
            return before;
        known = m_loaded.find(slot);
    }
    const bool isParked = m_parked.take(artifact.cubinHash).has_value();
    if (known != m_loaded.end() && !known->second.reloadAlways)
        m_parked.park(known->second.cubin, {});
    std::vector<WorkerBlob> blobs;
    if (!isParked)
        blobs.push_back({artifact.cubin, artifact.cubinHash});
    auto posted = m_channel->post({{"op", "load"}, {"slot", slot}, {"cubin", artifact.cubinHash.hex()},
                                      {"parked", isParked}, {"reload", artifact.reloadAlways}},
        blobs, stepLimit);
    if (posted) {
        m_awaited.push_back(Awaited::Load);
        m_loading.push_back(slot);
        m_loaded[slot] = {hash, artifact.cubinHash, artifact.reloadAlways};
    }
    return posted;
}

Result<void> GpuProcess::awaitBefore(bool block)
{
    Result<void> done;
    for (; !m_awaited.empty() && m_channel->isAlive() && !(block && m_awaited.front() == Awaited::Block);
         m_awaited.pop_front()) {
        if (m_awaited.front() == Awaited::Canary) {
            awaitCanary();
            continue;
        }
        const auto received = m_channel->receive(stepLimit);
        if (m_awaited.front() == Awaited::Block)
            continue; // nobody wants it
        const std::string slot = std::move(m_loading.front());
        m_loading.pop_front();
        if (received)
            continue;
        m_loaded.erase(slot);
        if (!done)
            continue; // the first is told
        done = std::unexpected(received.error());
        if (!done.error().evidence.is_object())
            done.error().evidence = nlohmann::json::object();
        done.error().evidence["contestant"] = slot;
    }
    return done;
}

void GpuProcess::awaitCanary()
{
    const auto found = typed(m_channel->receive(canaryLimit),
        [](const nlohmann::json& json) { return json.at("digest").get<std::uint64_t>(); });
    if (!found)
        m_canaryTold = fail("run/canary", "a kernel with a known result failed: " + found.error().text, "",
            {{"rule", found.error().code}});
    else if (*found != m_canary.digest)
        m_canaryTold = fail("run/canary", "a kernel with a known result returned another one", "",
            {{"want", std::to_string(m_canary.digest)}, {"got", std::to_string(*found)}});
    else
        m_canaryTold = Result<void>();
}

Result<void> GpuProcess::sendCanary(const Canary& canary)
{
    m_canary = canary;
    m_canaryTold.reset();
    return m_channel->post({{"op", "canary"}, {"seed", canary.seed}}, {}, canaryLimit);
}

void GpuProcess::postCanary(const Canary& canary)
{
    if (std::ranges::find(m_awaited, Awaited::Canary) == m_awaited.end() && sendCanary(canary))
        m_awaited.push_back(Awaited::Canary);
}

Result<void> GpuProcess::canary(const Canary& canary)
{
    (void)awaitBefore(false);
    if (!m_canaryTold) {
        if (const auto sent = sendCanary(canary); !sent)
            return fail("run/canary", "a kernel with a known result failed: " + sent.error().text, "",
                {{"rule", sent.error().code}});
        awaitCanary();
    }
    return *std::exchange(m_canaryTold, std::nullopt);
}

Result<WorkerReply> GpuProcess::ask(
    const nlohmann::json& request, const std::vector<WorkerBlob>& blobs, std::chrono::milliseconds limit)
{
    if (auto loaded = awaitBefore(false); !loaded)
        return std::unexpected(loaded.error());
    m_canaryTold.reset();
    return m_channel->ask(request, blobs, limit);
}

Result<WorkerReply> GpuProcess::receiveVerified(const Verification& verification)
{
    const auto& limits = verification.launchLimits;
    if (limits.empty())
        return m_channel->receive(verification.limit);
    std::size_t item = 0;
    bool judging = false;
    const WorkerChannel::Pace pace{
        limits.front(), [&](const nlohmann::json& told) {
            const nlohmann::json which = told.value("item", nlohmann::json()),
                                 judged = told.value("judging", nlohmann::json());
            item = which.is_number_unsigned() ? std::min(which.get<std::size_t>(), limits.size() - 1) : item;
            judging = judged == true;
            return judging ? verification.judgingLimit : limits[item];
        }};
    auto reply = m_channel->receive(verification.limit, never, &pace);
    if (reply || judging)
        return reply;
    // Killed or ended while a launch was under way: which one is part of the evidence.
    Error error = reply.error();
    if (!error.evidence.is_object())
        error.evidence = nlohmann::json::object();
    if ((error.code == "run/timeout" || error.code == "run/exit") && !error.evidence.contains("item"))
        error.evidence["item"] = item;
    return std::unexpected(std::move(error));
}

std::string GpuProcess::messageFor(const std::vector<VerifyRequest>& requests)
{
    return encodeFrame(requests.size() == 1 ? toJson(requests.front()) : toJson(requests));
}

Result<void> GpuProcess::verify(const std::vector<Verification>& verifications,
    const std::function<Result<void>(std::size_t, const Result<VerifyReplies>&)>& reply, const Canary& behind)
{
    const auto message
        = [](const Verification& one) { return one.message.empty() ? messageFor(one.requests) : one.message; };
    const auto repliesOf = [](const nlohmann::json& json) {
        VerifyReplies list;
        if (json.at("op") == "verify")
            list.push_back(verifyReplyFrom(json));
        else
            for (const nlohmann::json& item : json.at("items"))
                list.push_back(verifyReplyFrom(item));
        return list;
    };
    std::size_t posted = 0;
    bool hasCanary = false;
    Result<void> done;
    for (std::size_t taken = 0; taken < posted || (done && posted < verifications.size()); ++taken) {
        for (; done && posted < verifications.size() && posted < taken + ahead; ++posted)
            if (auto sent = m_channel->postFrame(message(verifications[posted]), stepLimit); !sent)
                return reply(posted, std::unexpected(sent.error()));
        if (taken == 0) {
            done = awaitBefore(false);
            m_canaryTold.reset();
        }
        if (done && !hasCanary && posted == verifications.size())
            hasCanary = sendCanary(behind).has_value();
        auto answer = typed(receiveVerified(verifications[taken]), repliesOf);
        if (answer && answer->size() != verifications[taken].requests.size())
            answer = fail("run/nonsense", "the GPU worker checked a number of launches that differs from the request");
        if (done) // else what was posted ahead is only waited for
            done = reply(taken, answer);
        if (!m_channel->isAlive())
            break;
    }
    if (hasCanary)
        m_awaited.push_back(Awaited::Canary);
    return done;
}

Result<std::vector<std::string>> GpuProcess::truth(const std::vector<std::int64_t>& dims,
    const std::vector<std::int64_t>& elements, const std::vector<std::string>& inputs)
{
    TruthRequest request{dims, elements, {}};
    std::vector<WorkerBlob> blobs;
    for (const std::string& input : inputs)
        request.inputs.push_back(blobs.emplace_back(WorkerBlob{input}).hash);
    const auto reply = ask(toJson(request), blobs, stepLimit);
    const auto told = typed(reply, truthReplyFrom);
    if (!told)
        return std::unexpected(told.error());
    return bytesOf(*reply, told->outputs);
}

Result<GpuProcess::Produced> GpuProcess::produce(
    const VerifyRequest& request, bool lend, std::chrono::milliseconds limit)
{
    const auto reply = ask(produceJson(request, lend), {}, limit);
    const auto told = typed(reply, producedReplyFrom);
    if (!told)
        return std::unexpected(told.error());
    auto outputs = bytesOf(*reply, told->outputs);
    if (!outputs)
        return std::unexpected(outputs.error());
    return Produced{told->around, std::move(*outputs), told->lent};
}

Result<VerifyReply> GpuProcess::judge(
    const VerifyRequest& request, const Produced& produced, std::chrono::milliseconds limit)
{
    JudgeRequest wanted{request, {}, produced.lent};
    std::vector<WorkerBlob> blobs;
    for (const std::string& output : produced.outputs)
        wanted.outputs.push_back(blobs.emplace_back(WorkerBlob{output}).hash);
    return typed(ask(toJson(wanted), blobs, limit), verifyReplyFrom);
}

Result<void> GpuProcess::postBlock(BlockRequest request)
{
    if (m_posted.empty()) {
        m_busySince = std::chrono::steady_clock::now();
        m_freeAt = m_busySince;
        m_busyEventsNs = 0;
    }
    if (auto sent = m_channel->post(toJson(request), {}, stepLimit); !sent)
        return sent;
    m_awaited.push_back(Awaited::Block);
    m_posted.push_back(std::move(request));
    return {};
}

Result<BlockReply> GpuProcess::takeBlock(std::chrono::milliseconds limit)
{
    const BlockRequest request = std::move(m_posted.front());
    m_posted.pop_front();
    const auto loaded = awaitBefore(true);
    const auto sound = std::exchange(m_canaryTold, std::nullopt); // a program runs behind it
    auto reply = typed(m_channel->receive(limit), blockReplyFrom);
    if (!m_awaited.empty())
        m_awaited.pop_front();
    if (!loaded)
        return std::unexpected(loaded.error());
    if (sound && !*sound)
        return std::unexpected(sound->error());
    const auto now = std::chrono::steady_clock::now();
    m_wallNs = static_cast<double>((now - m_freeAt).count());
    m_busyWallNs = static_cast<double>((now - m_busySince).count());
    m_freeAt = now;
    if (!reply)
        return reply;
    if (reply->samples.size() != request.order.size())
        return fail("run/nonsense", "the GPU worker took a number of samples that differs from the request");
    for (std::size_t i = 0; i < reply->samples.size(); ++i)
        if (reply->samples[i].slot != request.order[i])
            return fail("run/nonsense", "the GPU worker took samples of programs that differ from the request");
    for (const BlockSample& sample : reply->samples) {
        if (sample.launches != request.ring)
            return fail("run/nonsense", "the GPU worker made a number of launches that differs from the request");
        if (sample.launchNs.size() != (request.ring > 1 ? static_cast<std::size_t>(request.ring) : 0))
            return fail("run/nonsense", "the GPU worker did not report the time of each launch");
        m_busyEventsNs += sample.ns * sample.launches;
    }
    return reply;
}

Result<HotReply> GpuProcess::hot(const HotRequest& request)
{
    const auto limit = stepLimit + std::chrono::milliseconds(2 * request.milliseconds);
    auto reply = typed(ask(toJson(request), {}, limit), hotReplyFrom);
    if (reply && (reply->launches < 1 || !(reply->ns > 0)))
        return fail("run/nonsense", "the GPU worker reported a hot loop without launches");
    return reply;
}

void GpuProcess::forgetPosted()
{
    if (!m_posted.empty())
        (void)awaitBefore(false);
    m_posted.clear();
}

} // namespace tilewright
