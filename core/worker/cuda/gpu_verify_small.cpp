// SPDX-License-Identifier: GPL-3.0-or-later
// Many small launches held against the reference at once: memory is hidden and revealed once for all of them.
#include "core/worker/cuda/gpu_bench.h"

#include <algorithm>

namespace tilewright {
namespace {

std::unexpected<GpuFailure> ofItem(GpuFailure failure, std::size_t item)
{
    if (!failure.error.evidence.is_object())
        failure.error.evidence = nlohmann::json::object();
    failure.error.evidence["item"] = item;
    return std::unexpected(std::move(failure));
}

} // namespace

GpuResult<std::vector<VerifyReply>> GpuBench::verifySmall(const std::vector<VerifyRequest>& requests)
{
    struct Launched {
        BoundBuffers buffers;
        std::vector<std::uint8_t> output; ///< in this process's memory, where no program on the device reaches it
    };
    std::vector<Launched> launched(requests.size());
    std::vector<VerifyReply> replies(requests.size());
    m_spent.clear();
    const auto hide = [&]() -> GpuResult<void> {
        const Spending spending(m_spent, "hide");
        if (auto hidden = m_memory.hide(); !hidden)
            return std::unexpected(GpuFailure{hidden.error(), true});
        return {};
    };
    // Launches, looks around, and brings the output home.
    const auto launch = [&](std::size_t i, std::uint8_t poison) -> GpuResult<std::vector<std::uint8_t>> {
        const BoundBuffers& buffers = launched[i].buffers;
        const auto time = launchOnce(requests[i], buffers, poison);
        if (!time)
            return std::unexpected(time.error());
        const Spending spending(m_spent, "compare");
        VerifyReply around;
        cu::Code code = clearFindings();
        if (code == 0)
            code = lookAround(requests[i], buffers, poison);
        if (code != 0)
            return std::unexpected(failed(code, "the result cannot be checked"));
        if (auto read = readFindings(around); !read)
            return std::unexpected(read.error());
        std::vector<std::uint8_t> output(bytesOf(m_formats.out) * elementsOf(requests[i]));
        if (const cu::Code copied = m_driver.memcpyDtoH(output.data(), buffers.address[2], output.size()); copied != 0)
            return std::unexpected(failed(copied, "the result cannot be read"));
        replies[i].inputsChanged += around.inputsChanged;
        replies[i].zonesChanged += around.zonesChanged;
        if (poison == firstPoison)
            replies[i].ns = *time;
        return output;
    };
    const auto judged = [&](std::size_t i) -> GpuResult<void> {
        const BoundBuffers& buffers = launched[i].buffers;
        cu::Code code = fillInputs(buffers, requests[i].seed, requests[i].kind);
        const auto step = [&](cu::Code next) { code = code == 0 ? next : code; };
        step(m_driver.streamSynchronize(m_stream));
        step(m_driver.memcpyHtoD(buffers.address[2], launched[i].output.data(), launched[i].output.size()));
        step(clearFindings());
        step(judge(requests[i], buffers, firstPoison));
        if (code != 0)
            return std::unexpected(failed(code, "the result cannot be checked"));
        if (auto read = readFindings(replies[i]); !read)
            return read;
        const auto agree = tilesAgree(requests[i], buffers);
        return agree ? GpuResult<void>() : std::unexpected(agree.error());
    };
    if (auto hidden = hide(); !hidden)
        return std::unexpected(hidden.error());
    for (std::size_t i = 0; i < requests.size(); ++i) {
        const auto buffers = bind(requests[i].extents, requests[i].plan.workspaceBytes);
        if (!buffers)
            return ofItem(buffers.error(), i);
        if (m_memory.hiddenBytes() < 16 * elementsOf(requests[i]))
            return ofItem({{"device/memory", "too little hidden memory was asked for", "", nullptr}}, i);
        launched[i].buffers = *buffers;
        auto output = launch(i, firstPoison);
        if (!output)
            return ofItem(output.error(), i);
        launched[i].output = std::move(*output);
    }
    {
        const Spending spending(m_spent, "reveal");
        if (auto shown = m_memory.reveal(); !shown)
            return std::unexpected(GpuFailure{shown.error(), true});
    }
    {
        const Spending spending(m_spent, "compare");
        for (std::size_t i = 0; i < requests.size(); ++i)
            if (auto done = judged(i); !done)
                return ofItem(done.error(), i);
    }
    if (auto hidden = hide(); !hidden)
        return std::unexpected(hidden.error());
    for (std::size_t i = 0; i < requests.size(); ++i) {
        if (!requests[i].twice)
            continue;
        const auto again = launch(i, secondPoison);
        if (!again)
            return ofItem(again.error(), i);
        const std::size_t size = bytesOf(m_formats.out);
        for (std::size_t at = 0; at < again->size(); at += size)
            replies[i].differing += !std::equal(again->begin() + static_cast<std::ptrdiff_t>(at),
                again->begin() + static_cast<std::ptrdiff_t>(at + size),
                launched[i].output.begin() + static_cast<std::ptrdiff_t>(at));
    }
    if (!replies.empty())
        replies.front().spentNs = m_spent;
    return replies;
}

} // namespace tilewright
