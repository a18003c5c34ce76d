// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/worker/cuda/gpu_service.h"

#include "core/worker/cuda/frame_socket.h"
#include "core/worker/cuda/gpu_bench.h"
#include "core/worker/cuda/gpu_device.h"

#include <cstdlib>

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

/// One request; the reply, or why there is none.
GpuResult<Json> answer(GpuBench& bench, FrameSocket& socket, const Json& request)
{
    const auto op = request.at("op").get<std::string>();
    const auto blobAt = [&](const char* key) -> const std::string& {
        return socket.blob(Hash::fromHex(request.at(key).get<std::string>()));
    };
    const auto done = [&](const GpuResult<void>& result) -> GpuResult<Json> {
        if (!result)
            return std::unexpected(result.error());
        return Json{{"op", op}};
    };
    if (op == "kernels")
        return done(bench.loadKernels(blobAt("kernels"), blobAt("reference"), gpuFormatsFrom(request.at("formats"))));
    if (op == "load")
        return done(bench.load(request.at("slot"), blobAt("cubin"), request.at("reload").get<bool>()));
    if (op == "allocate")
        return done(bench.allocate(request.at("bytes"), request.at("hidden")));
    if (op == "event_floor") {
        const auto floor = bench.eventFloor();
        return floor ? GpuResult<Json>(Json{{"op", op}, {"ns", *floor}}) : std::unexpected(floor.error());
    }
    if (op == "canary") {
        const auto digest = bench.canary(request.at("seed").get<std::uint64_t>());
        return digest ? GpuResult<Json>(Json{{"op", op}, {"digest", *digest}}) : std::unexpected(digest.error());
    }
    if (op == "verify") {
        const auto reply = bench.verify(verifyRequestFrom(request));
        return reply ? GpuResult<Json>(toJson(*reply)) : std::unexpected(reply.error());
    }
    if (op == "verify_small") {
        const auto replies = bench.verifySmall(verifyRequestsFrom(request));
        if (!replies)
            return std::unexpected(replies.error());
        Json list = Json::array();
        for (const VerifyReply& reply : *replies)
            list.push_back(toJson(reply));
        return Json{{"op", op}, {"items", list}};
    }
    if (op == "block") {
        const auto reply = bench.block(blockRequestFrom(request));
        return reply ? GpuResult<Json>(toJson(*reply)) : std::unexpected(reply.error());
    }
    return std::unexpected(GpuFailure{{"protocol/unknown", "unknown operation '" + op + "'", "", nullptr}});
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
    while (const auto request = socket.next()) {
        GpuResult<Json> reply = std::unexpected(GpuFailure{});
        try {
            reply = answer(bench, socket, *request);
        } catch (const Json::exception& problem) {
            reply = std::unexpected(GpuFailure{{"protocol/field", problem.what(), "", nullptr}, false});
        }
        socket.send(reply ? *reply : failedJson(reply.error().error, reply.error().lost));
        socket.forgetBlobs();
        if (!reply && reply.error().lost)
            _Exit(3); // the context is gone, and tidying up would wait for it
    }
    _Exit(0);
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

} // namespace tilewright
