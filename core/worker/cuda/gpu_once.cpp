// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/worker/cuda/gpu_once.h"

#include "core/base/files.h"
#include "core/base/json_text.h"
#include "core/protocol/gpu_messages.h"
#include "core/worker/cuda/gpu_device.h"
#include "core/worker/cuda/gpu_program.h"

#include <bit>
#include <cstdio>

namespace tilewright {
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
        return fail("protocol/field", "there are more buffers than a program can have");
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
    } catch (const Json::exception& problem) {
        std::fprintf(stderr, "%s\n", problem.what());
        return 2;
    }
}

} // namespace tilewright
