// SPDX-License-Identifier: Apache-2.0
#include "core/worker/cuda/gpu_service.h"

#include "core/base/files.h"
#include "core/base/json_text.h"
#include "core/protocol/gpu_messages.h"
#include "core/worker/cuda/conveyor.h"
#include "core/worker/cuda/frame_socket.h"
#include "core/worker/cuda/gpu_bench.h"
#include "core/worker/cuda/gpu_program.h"
#include "core/worker/cuda/gpu_runner.h"
#include "core/worker/cuda/nvrtc.h"

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <thread>
#include <type_traits>

namespace tilewright {
namespace {

using Json = nlohmann::json;

int attribute(const cu::Driver& driver, cu::Device device, cu::Attribute which)
{
    int value = 0;
    driver.deviceGetAttribute(&value, which, device);
    return value;
}

Json factsOf(const cu::Driver& driver, cu::Device device)
{
    char name[128] = "";
    std::size_t memory = 0;
    int version = 0;
    driver.deviceGetName(name, sizeof name, device);
    driver.deviceTotalMem(&memory, device);
    driver.driverGetVersion(&version);
    const auto fact = [&](cu::Attribute which) { return attribute(driver, device, which); };
    return {{"uuid", gpuUuid(driver, device)}, {"name", name}, {"major", fact(cu::Major)}, {"minor", fact(cu::Minor)},
        {"sms", fact(cu::Multiprocessors)}, {"memory_bytes", memory}, {"l2_bytes", fact(cu::L2Size)},
        {"shared_per_block", fact(cu::SharedPerBlockOptIn)}, {"shared_per_sm", fact(cu::SharedPerSm)},
        {"reserved_shared_per_block", fact(cu::ReservedSharedPerBlock)}, {"registers_per_sm", fact(cu::RegistersPerSm)},
        {"threads_per_sm", fact(cu::ThreadsPerSm)}, {"blocks_per_sm", fact(cu::BlocksPerSm)},
        {"clock_khz", fact(cu::ClockRate)}, {"memory_clock_khz", fact(cu::MemoryClockRate)},
        {"memory_bus_bits", fact(cu::MemoryBusWidth)}, {"pageable_access", fact(cu::PageableAccess) != 0},
        {"kernel_timeout", fact(cu::KernelTimeout) != 0},
        {"driver", std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10)}};
}

/// What is said in the end, put into words by the thread that sends it.
using Reply = std::function<Json()>;
/// A request that has been read, to be done by the thread that has the GPU.
struct Errand {
    std::string op;
    std::function<GpuResult<Reply>(GpuBench&)> run;
    std::shared_ptr<const BlockRequest> block = nullptr; ///< what it measures, so that it can be begun before its turn
};

template <typename T, typename Words> GpuResult<Reply> replyOf(GpuResult<T> result, Words words)
{
    if (!result)
        return std::unexpected(std::move(result.error()));
    if constexpr (std::is_void_v<T>)
        return Reply(words);
    else
        return Reply([words, value = std::move(*result)] { return words(value); });
}

std::vector<std::string> blobsOf(FrameSocket& socket, const std::vector<Hash>& hashes)
{
    std::vector<std::string> blobs;
    for (const Hash& hash : hashes)
        blobs.push_back(socket.blob(hash));
    return blobs;
}

std::function<GpuResult<Reply>(GpuBench&)> workFrom(FrameSocket& socket, const Json& request, const std::string& op)
{
    const auto hashAt = [&](const char* key) { return Hash::fromHex(request.at(key).get<std::string>()); };
    const auto blobAt = [&](const char* key) { return socket.blob(hashAt(key)); };
    const auto done = [op] { return Json{{"op", op}}; };
    const auto told = [](const auto& reply) { return toJson(reply); };
    if (op == "kernels")
        return [kernels = blobAt("kernels"), reference = blobAt("reference"),
                   formats = gpuFormatsFrom(request.at("formats")),
                   done](GpuBench& bench) { return replyOf(bench.loadKernels(kernels, reference, formats), done); };
    if (op == "load")
        return [slot = request.at("slot").get<std::string>(), hash = hashAt("cubin"),
                   cubin = request.at("parked").get<bool>() ? std::string() : blobAt("cubin"),
                   reload = request.at("reload").get<bool>(),
                   done](GpuBench& bench) { return replyOf(bench.load(slot, hash, cubin, reload), done); };
    if (op == "allocate")
        return [bytes = request.at("bytes").get<std::vector<std::uint64_t>>(),
                   often = request.at("often_hidden").get<std::uint64_t>(),
                   hidden = request.at("hidden").get<std::uint64_t>(),
                   done](GpuBench& bench) { return replyOf(bench.allocate(bytes, often, hidden), done); };
    if (op == "leave_references_open") // of a node for proofs
        return [op](GpuBench& bench) {
            return replyOf(bench.leaveReferencesOpen(), [op](const MemoryRange& hidden) {
                return Json{{"op", op}, {"at", hidden.address}, {"bytes", hidden.bytes}};
            });
        };
    if (op == "event_floor")
        return [op](GpuBench& bench) {
            return replyOf(bench.eventFloor(), [op](double ns) { return Json{{"op", op}, {"ns", ns}}; });
        };
    if (op == "canary")
        return [op, seed = request.at("seed").get<std::uint64_t>()](GpuBench& bench) {
            return replyOf(bench.canary(seed), [op](std::uint64_t digest) {
                return Json{{"op", op}, {"digest", digest}};
            });
        };
    if (op == "verify")
        return [launch = verifyRequestFrom(request), told](
                   GpuBench& bench) { return replyOf(bench.verify(launch), told); };
    if (op == "verify_together")
        return [launches = verifyRequestsFrom(request), op](GpuBench& bench) {
            return replyOf(bench.verifyTogether(launches), [op](const std::vector<VerifyReply>& replies) {
                Json items = Json::array();
                for (const VerifyReply& reply : replies)
                    items.push_back(toJson(reply));
                return Json{{"op", op}, {"items", std::move(items)}};
            });
        };
    if (op == "hot")
        return [wanted = hotRequestFrom(request)](GpuBench& bench) {
            return replyOf(bench.hot(wanted), [](const HotReply& reply) { return toJson(reply); });
        };
    if (op == "produce")
        return [launch = verifyRequestFrom(request), lend = request.at("lend").get<bool>(), &socket](GpuBench& bench) {
            return replyOf(bench.produce(launch, lend), [&socket](const Produced& produced) {
                ProducedReply reply{produced.around, {}, produced.lent}; // told by the thread that sends
                for (const std::string& output : produced.outputs)
                    reply.outputs.push_back(socket.sendBlob(output));
                return toJson(reply);
            });
        };
    if (op == "judge") {
        JudgeRequest wanted = judgeRequestFrom(request);
        return [launch = std::move(wanted.launch),
                   produced = Produced{{}, blobsOf(socket, wanted.outputs), std::move(wanted.lent)},
                   told](GpuBench& bench) { return replyOf(bench.judgeOutputs(launch, produced), told); };
    }
    if (op == "truth") {
        TruthRequest wanted = truthRequestFrom(request);
        std::vector<std::string> inputs = blobsOf(socket, wanted.inputs);
        return [wanted = std::move(wanted), inputs = std::move(inputs), &socket](GpuBench& bench) {
            return replyOf(bench.truth(wanted, inputs), [&socket](const std::vector<std::string>& outputs) {
                TruthReply reply; // told by the thread that sends
                for (const std::string& output : outputs)
                    reply.outputs.push_back(socket.sendBlob(output));
                return toJson(reply);
            });
        };
    }
    throw Json::other_error::create(501, "unknown operation '" + op + "'", &request);
}

Errand errandFrom(FrameSocket& socket, const Json& request)
{
    Errand errand{request.at("op").get<std::string>(), {}};
    if (errand.op != "block") {
        errand.run = workFrom(socket, request, errand.op);
        return errand;
    }
    errand.block = std::make_shared<const BlockRequest>(blockRequestFrom(request));
    errand.run = [block = errand.block](GpuBench& bench) {
        return replyOf(bench.block(*block), [](const BlockReply& reply) { return toJson(reply); });
    };
    return errand;
}

/// Reads requests until the node is gone.
void readErrands(FrameSocket& socket, Conveyor<Errand>& errands)
{
    while (const auto request = socket.next()) {
        Errand errand;
        try {
            errand = errandFrom(socket, *request);
        } catch (const std::exception& problem) {
            errand.run = [text = std::string(problem.what())](GpuBench&) -> GpuResult<Reply> {
                return std::unexpected(GpuFailure{{"protocol/field", text, "", nullptr}, false});
            };
        }
        socket.forgetBlobs();
        errands.push(std::move(errand));
    }
    errands.close();
}

} // namespace

int runGpuService(int argc, char** argv)
{
    if (argc < 3)
        return 2;
    FrameSocket socket(std::atoi(argv[1]));
    const auto driver = cu::Driver::load();
    const auto device = driver ? gpuNamed(**driver, argv[2]) : Result<cu::Device>(std::unexpected(driver.error()));
    const auto entered = device ? enterGpu(**driver, *device) : Result<void>(std::unexpected(device.error()));
    if (!entered) {
        socket.send(failedJson(entered.error(), true));
        return 1;
    }
    GpuBench bench(**driver, *device,
        {attribute(**driver, *device, cu::Multiprocessors),
            static_cast<std::uint64_t>(attribute(**driver, *device, cu::L2Size)),
            static_cast<unsigned>(attribute(**driver, *device, cu::SharedPerBlockOptIn))});
    socket.send({{"op", "ready"}});
    // Reading and telling are others' work: meanwhile the GPU has the next question already.
    Conveyor<Errand> errands;
    Conveyor<Reply> replies;
    std::jthread reader([&] { readErrands(socket, errands); });
    std::jthread teller([&] {
        while (const auto reply = replies.pop())
            socket.send((*reply)());
    });
    bench.setNext([&] {
        const auto next = errands.first([](const Errand& errand) { return errand.block; });
        return next ? *next : nullptr;
    });
    bench.setProgress([&](std::size_t item, bool judging) {
        replies.push([item, judging] { return Json{{"op", "progress"}, {"item", item}, {"judging", judging}}; });
    });
    bool lost = false;
    while (!lost) {
        const auto idle = std::chrono::steady_clock::now();
        const auto errand = errands.pop();
        if (!errand)
            break;
        bench.waited(std::chrono::steady_clock::now() - idle, errand->op);
        auto reply = errand->run(bench);
        lost = !reply && reply.error().lost;
        replies.push(reply ? std::move(*reply)
                           : Reply([failure = reply.error()] { return failedJson(failure.error, failure.lost); }));
    }
    replies.close();
    teller.join();
    _Exit(lost ? 3 : 0); // where the context is gone, tidying up would wait for it
}

int runDeviceListing(int argc, char** argv)
{
    if (argc < 2)
        return 2;
    FrameSocket socket(std::atoi(argv[1]));
    const auto driver = cu::Driver::load();
    if (!driver) {
        socket.send(failedJson(driver.error(), true));
        return 1;
    }
    Json devices = Json::array();
    int count = 0;
    (*driver)->deviceGetCount(&count);
    for (int i = 0; i < count; ++i)
        if (cu::Device device = 0; (*driver)->deviceGet(&device, i) == 0)
            devices.push_back(factsOf(**driver, device));
    socket.send({{"op", "devices"}, {"devices", devices}});
    return 0;
}

namespace {

constexpr std::size_t longestLog = 64 << 10;

CompileReply compiled(FrameSocket& socket, const Nvrtc& nvrtc, const CompileRequest& request,
    const std::map<std::string, std::string>& headers)
{
    const NvrtcResult result
        = nvrtc.compile({socket.blob(request.source), request.fileName, headers, request.options, request.expressions});
    CompileReply reply;
    reply.code = result.code;
    reply.ok = result.code == 0 && !result.cubin.empty();
    reply.log = result.log.substr(0, longestLog);
    reply.lowered = result.lowered;
    if (reply.ok) {
        reply.cubin = socket.sendBlob(result.cubin);
        reply.ptx = socket.sendBlob(result.ptx);
    }
    return reply;
}

} // namespace

int runCompileService(int argc, char** argv)
{
    if (argc < 3)
        return 2;
    FrameSocket socket(std::atoi(argv[1]));
    const auto nvrtc = Nvrtc::load(argv[2]);
    if (!nvrtc) {
        socket.send(failedJson(nvrtc.error(), true));
        return 1;
    }
    socket.send({{"op", "ready"}, {"version", (*nvrtc)->version()}, {"architectures", (*nvrtc)->architectures()}});
    std::map<std::string, std::string> headers;
    while (const auto request = socket.next()) {
        try {
            if (request->at("op") == "headers") {
                for (const auto& [name, hash] : request->at("files").items())
                    headers[name] = socket.blob(Hash::fromHex(hash.get<std::string>()));
                socket.send({{"op", "headers"}});
            } else {
                socket.send(toJson(compiled(socket, **nvrtc, compileRequestFrom(*request), headers)));
            }
        } catch (const std::exception& problem) {
            socket.send(failedJson({"protocol/field", problem.what(), "", nullptr}, false));
        }
        socket.forgetBlobs();
    }
    return 0;
}

namespace {

using Json = nlohmann::json;

/// Numbers between −1 and 1, the same each time: a tool looks at where a program reads, not at what.
std::vector<std::uint8_t> numbers(std::uint64_t bytes, GpuElement element)
{
    std::vector<std::uint8_t> values(bytes);
    std::uint32_t state = 1;
    const std::size_t size = bytesOf(element);
    for (std::size_t at = 0; at + size <= values.size(); at += size) {
        state = state * 1664525U + 1013904223U;
        const float number = static_cast<float>(static_cast<std::int32_t>(state)) * 0x1p-31F;
        const std::uint32_t bits = element == GpuElement::Fp16
            ? 0x3400 | (state >> 22) // from 1/4 to 1/2
            : std::bit_cast<std::uint32_t>(number) >> (32 - 8 * size);
        for (std::size_t i = 0; i < size; ++i)
            values[at + i] = static_cast<std::uint8_t>(bits >> (8 * i));
    }
    return values;
}

/// One launch on fresh buffers of exactly these sizes.
Result<void> launchOnce(const cu::Driver& driver, GpuProgram& program, const Json& job, const GpuFormats& formats)
{
    BoundBuffers buffers;
    const auto bytes = job.at("bytes").get<std::vector<std::uint64_t>>();
    if (bytes.size() > mostBuffers)
        return fail("protocol/field", "more buffers than a program can have");
    buffers.count = bytes.size();
    cu::Code code = 0;
    const auto step = [&](cu::Code next) { code = code == 0 ? next : code; };
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (bytes[i] == 0)
            continue;
        step(driver.memAlloc(&buffers.address[i], bytes[i]));
        buffers.bytes[i] = bytes[i];
        if (code == 0 && i < static_cast<std::size_t>(formats.inputs)) {
            const std::vector<std::uint8_t> values = numbers(bytes[i], formats.in);
            step(driver.memcpyHtoD(buffers.address[i], values.data(), values.size()));
        } else if (code == 0) {
            step(driver.memsetD8Async(buffers.address[i], 0xff, bytes[i], nullptr));
        }
    }
    if (code != 0)
        return std::unexpected(driver.error(code, "no memory for the launch"));
    if (auto ready = program.prepare(
            GpuPlan::fromJson(job.at("plan")), job.at("dims").get<std::vector<std::int64_t>>(), {buffers});
        !ready)
        return ready;
    step(program.launch(nullptr));
    step(driver.ctxSynchronize());
    if (code != 0)
        return std::unexpected(driver.error(code, "the program failed"));
    for (const cu::Pointer address : buffers.address)
        if (address != 0)
            driver.memFree(address);
    return {};
}

Result<void> launchAll(const std::string& folder)
{
    const auto text = readFile(folder + "/job.json"), cubin = readFile(folder + "/program.cubin");
    if (!text || !cubin)
        return std::unexpected((text ? cubin : text).error());
    const Json job = parsedJson<Json>(*text);
    const auto driver = cu::Driver::load();
    if (!driver)
        return std::unexpected(driver.error());
    const auto device = gpuNamed(**driver, job.at("uuid").get<std::string>());
    if (!device)
        return std::unexpected(device.error());
    if (auto entered = enterGpu(**driver, *device); !entered)
        return entered;
    GpuProgram program(**driver, *cubin);
    const GpuFormats formats = gpuFormatsFrom(job.at("formats"));
    for (const Json& launch : job.at("launches")) {
        if (auto loaded = program.reload(); !loaded)
            return loaded;
        if (auto done = launchOnce(**driver, program, launch, formats); !done)
            return done;
    }
    return {};
}

} // namespace

int runOnce(int argc, char** argv)
{
    if (argc < 2)
        return 2;
    try {
        const auto done = launchAll(argv[1]);
        if (!done)
            std::fprintf(stderr, "%s: %s\n", done.error().code.c_str(), done.error().text.c_str());
        return done ? 0 : 3;
    } catch (const std::exception& problem) {
        std::fprintf(stderr, "%s\n", problem.what());
        return 2;
    }
}

} // namespace tilewright
