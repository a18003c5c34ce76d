// SPDX-License-Identifier: GPL-3.0-or-later
// Many small launches held against the reference at once: memory is hidden and revealed once for all of them.
#include "core/worker/cuda/gpu_bench.h"

#include <algorithm>
#include <utility>

namespace tilewright {
namespace {

constexpr std::uint64_t smallAlignment = 256;

std::uint64_t aligned(std::uint64_t bytes) { return (bytes + smallAlignment - 1) / smallAlignment * smallAlignment; }

std::unexpected<GpuFailure> ofItem(GpuFailure failure, std::size_t item)
{
    if (!failure.error.evidence.is_object())
        failure.error.evidence = nlohmann::json::object();
    failure.error.evidence["item"] = item;
    return std::unexpected(std::move(failure));
}

} // namespace

/// In hidden memory: first all outputs, then truths and inputs, one after another where there is room to judge the
/// launches side by side.
struct GpuBench::SmallPlaces {
    std::vector<std::uint64_t> outputs, truths;
    std::uint64_t outputBytes = 0, bytes = 0;
    bool beside = false;
};

/// All truths in one go: the outputs are brought to the device together, into memory that has been revealed; the inputs
/// are filled anew for each. A small truth is a few threads' long way: several are under way at a time.
GpuResult<void> GpuBench::judgeSmall(const std::vector<VerifyRequest>& requests,
    const std::vector<BoundBuffers>& buffers, const std::vector<std::vector<std::uint8_t>>& outputs,
    std::vector<VerifyReply>& replies)
{
    const SmallPlaces places = placesOfSmall(requests, buffers);
    std::vector<std::uint8_t> together(places.outputBytes);
    for (std::size_t i = 0; i < outputs.size(); ++i)
        std::ranges::copy(outputs[i], together.begin() + static_cast<std::ptrdiff_t>(places.outputs[i]));
    if (m_memory.hiddenBytes() < places.bytes)
        return std::unexpected(GpuFailure{{"device/memory", "too little hidden memory was asked for", "", nullptr}});
    {
        const Spending spending(m_spent, "reveal");
        if (auto shown = m_memory.reveal(places.bytes); !shown)
            return std::unexpected(GpuFailure{shown.error(), true});
    }
    const Spending spending(m_spent, "compare");
    cu::Code code = m_driver.memcpyHtoD(m_memory.hidden(), together.data(), together.size());
    const auto step = [&](cu::Code next) { code = code == 0 ? next : code; };
    step(beginChecks());
    step(clearFindings(requests.size()));
    step(m_driver.streamSynchronize(m_stream));
    for (std::size_t i = 0; code == 0 && i < requests.size(); ++i) {
        const cu::Pointer truth = m_memory.hidden() + places.truths[i];
        BoundBuffers inputs = buffers[i];
        const cu::Stream usual = m_stream;
        if (places.beside) {
            m_stream = m_beside[i % m_beside.size()];
            inputs.address[0] = truth + aligned(16 * elementsOf(requests[i]));
            inputs.address[1] = inputs.address[0] + aligned(inputs.bytes[0]);
        }
        step(workOn("tw_before", inputs, Parts::Inputs, requests[i].seed, requests[i].kind, firstPoison));
        step(judge(requests[i], inputs, m_memory.hidden() + places.outputs[i], firstPoison, truth, findings(i)));
        m_stream = usual;
        if (code == 0)
            if (const auto agree = tilesAgree(requests[i], buffers[i], truth); !agree)
                return ofItem(agree.error(), i);
    }
    for (const cu::Stream stream : m_beside)
        step(m_driver.streamSynchronize(stream));
    step(endChecks());
    step(m_driver.streamSynchronize(m_stream));
    if (code != 0)
        return std::unexpected(failed(code, "the result cannot be checked"));
    addChecks();
    return readFindings(replies.data(), replies.size());
}

GpuBench::SmallPlaces GpuBench::placesOfSmall(
    const std::vector<VerifyRequest>& requests, const std::vector<BoundBuffers>& buffers) const
{
    SmallPlaces places;
    std::uint64_t truths = 0, largest = 0;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        places.outputs.push_back(places.outputBytes);
        places.outputBytes += aligned(bytesOf(m_formats.out) * elementsOf(requests[i]));
        places.truths.push_back(truths);
        truths += aligned(16 * elementsOf(requests[i])) + aligned(buffers[i].bytes[0]) + aligned(buffers[i].bytes[1]);
        largest = std::max(largest, elementsOf(requests[i]));
    }
    places.beside = isSettled() && m_memory.hiddenBytes() >= places.outputBytes + truths;
    for (std::uint64_t& truth : places.truths)
        truth = places.outputBytes + (places.beside ? truth : 0);
    places.bytes = places.outputBytes + (places.beside ? truths : 32 * largest);
    return places;
}

GpuResult<std::vector<VerifyReply>> GpuBench::verifySmall(const std::vector<VerifyRequest>& requests)
{
    if (requests.size() > mostFindings)
        return std::unexpected(GpuFailure{{"protocol/field", "too many launches in one go", "", nullptr}});
    if (!m_formats.product) { // one by one
        std::vector<VerifyReply> found;
        for (std::size_t i = 0; i < requests.size(); ++i) {
            auto reply = verifyOperation(requests[i]);
            if (!reply)
                return ofItem(reply.error(), i);
            found.push_back(std::move(*reply));
        }
        return found;
    }
    std::vector<BoundBuffers> buffers;
    std::vector<std::vector<std::uint8_t>>
        outputs; // in this process's memory, where no program on the device reaches it
    std::vector<VerifyReply> replies(requests.size());
    // Launches, looks around, and brings the output home; all that is waited for once.
    const auto launch = [&](std::size_t i, std::uint8_t poison) -> GpuResult<std::vector<std::uint8_t>> {
        const auto queued = queueOnce(requests[i], buffers[i], poison);
        if (!queued)
            return std::unexpected(queued.error());
        const Spending spending(m_spent, "launch");
        cu::Code code = beginChecks();
        const auto step = [&](cu::Code next) { code = code == 0 ? next : code; };
        step(clearFindings());
        step(lookAround(requests[i], buffers[i], poison, findings()));
        step(endChecks());
        step(queueFound());
        std::vector<std::uint8_t> output(bytesOf(m_formats.out) * elementsOf(requests[i]));
        if (auto ended = awaitLaunch(*queued, requests[i].slot); !ended)
            return std::unexpected(ended.error());
        step(m_driver.memcpyDtoH(output.data(), buffers[i].address[2], output.size()));
        step(m_driver.streamSynchronize(m_stream));
        if (code != 0)
            return std::unexpected(failed(code, "the result cannot be checked"));
        const auto time = launchTime(requests[i].slot);
        if (!time)
            return std::unexpected(time.error());
        m_spent["launch_gpu"] += *time;
        addChecks();
        VerifyReply around;
        readFound(around);
        replies[i].inputsChanged += around.inputsChanged;
        replies[i].zonesChanged += around.zonesChanged;
        if (poison == firstPoison)
            replies[i].ns = *time;
        return output;
    };
    for (std::size_t i = 0; i < requests.size(); ++i) {
        const auto bound = bind(requests[i].extents, {}, requests[i].plan.workspaceBytes);
        if (!bound)
            return ofItem(bound.error(), i);
        buffers.push_back(*bound);
        auto output = launch(i, firstPoison);
        if (!output)
            return ofItem(output.error(), i);
        outputs.push_back(std::move(*output));
    }
    if (auto judged = judgeSmall(requests, buffers, outputs, replies); !judged)
        return std::unexpected(judged.error());
    for (std::size_t i = 0; i < requests.size(); ++i) {
        if (!requests[i].twice)
            continue;
        const auto again = launch(i, secondPoison);
        if (!again)
            return ofItem(again.error(), i);
        if (*again == outputs[i])
            continue;
        const std::size_t size = bytesOf(m_formats.out);
        for (std::size_t at = 0; at < again->size(); at += size)
            replies[i].differing += !std::equal(again->begin() + static_cast<std::ptrdiff_t>(at),
                again->begin() + static_cast<std::ptrdiff_t>(at + size),
                outputs[i].begin() + static_cast<std::ptrdiff_t>(at));
    }
    if (!replies.empty())
        replies.front().spentNs = std::exchange(m_spent, {});
    return replies;
}

} // namespace tilewright
