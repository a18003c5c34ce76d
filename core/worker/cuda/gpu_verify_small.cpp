// SPDX-License-Identifier: GPL-3.0-or-later
// Many small launches held against the reference at once: memory is hidden and revealed once for all of them.
#include "core/worker/cuda/gpu_bench.h"

#include <algorithm>
#include <utility>

namespace tilewright {
namespace {

constexpr std::uint64_t outputAlignment = 64;

std::unexpected<GpuFailure> ofItem(GpuFailure failure, std::size_t item)
{
    if (!failure.error.evidence.is_object())
        failure.error.evidence = nlohmann::json::object();
    failure.error.evidence["item"] = item;
    return std::unexpected(std::move(failure));
}

} // namespace

/// All truths in one go: the outputs are brought to the device together, into memory that has been revealed, behind
/// what the truths are computed in; the inputs are filled anew for each.
GpuResult<void> GpuBench::judgeSmall(const std::vector<VerifyRequest>& requests,
    const std::vector<BoundBuffers>& buffers, const std::vector<std::vector<std::uint8_t>>& outputs,
    std::vector<VerifyReply>& replies)
{
    std::uint64_t largest = 0;
    for (const VerifyRequest& request : requests)
        largest = std::max(largest, elementsOf(request));
    const std::uint64_t before = 32 * largest;
    std::vector<std::uint8_t> together;
    std::vector<std::uint64_t> places;
    for (const std::vector<std::uint8_t>& output : outputs) {
        places.push_back(before + together.size());
        together.insert(together.end(), output.begin(), output.end());
        together.resize((together.size() + outputAlignment - 1) / outputAlignment * outputAlignment);
    }
    if (m_memory.hiddenBytes() < before + together.size())
        return std::unexpected(GpuFailure{{"device/memory", "too little hidden memory was asked for", "", nullptr}});
    {
        const Spending spending(m_spent, "reveal");
        if (auto shown = m_memory.reveal(before + together.size()); !shown)
            return std::unexpected(GpuFailure{shown.error(), true});
    }
    const Spending spending(m_spent, "compare");
    cu::Code code = m_driver.memcpyHtoD(m_memory.hidden() + before, together.data(), together.size());
    const auto step = [&](cu::Code next) { code = code == 0 ? next : code; };
    step(beginChecks());
    step(clearFindings(requests.size()));
    for (std::size_t i = 0; code == 0 && i < requests.size(); ++i) {
        step(workOn("tw_before", buffers[i], Parts::Inputs, requests[i].seed, requests[i].kind, firstPoison));
        step(judge(requests[i], buffers[i], m_memory.hidden() + places[i], firstPoison, findings(i)));
        if (code == 0)
            if (const auto agree = tilesAgree(requests[i], buffers[i]); !agree)
                return ofItem(agree.error(), i);
    }
    step(endChecks());
    step(m_driver.streamSynchronize(m_stream));
    if (code != 0)
        return std::unexpected(failed(code, "the result cannot be checked"));
    addChecks();
    return readFindings(replies.data(), replies.size());
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
    const auto hide = [&]() -> GpuResult<void> {
        const Spending spending(m_spent, "hide");
        if (auto hidden = m_memory.hide(); !hidden)
            return std::unexpected(GpuFailure{hidden.error(), true});
        return {};
    };
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
        const auto time = launched(*queued, requests[i].slot);
        if (!time)
            return std::unexpected(time.error());
        std::vector<std::uint8_t> output(bytesOf(m_formats.out) * elementsOf(requests[i]));
        step(m_driver.memcpyDtoH(output.data(), buffers[i].address[2], output.size()));
        if (code != 0)
            return std::unexpected(failed(code, "the result cannot be checked"));
        m_spent["launch_gpu"] += *time;
        addChecks();
        VerifyReply around;
        if (auto read = readFindings(&around); !read)
            return std::unexpected(read.error());
        replies[i].inputsChanged += around.inputsChanged;
        replies[i].zonesChanged += around.zonesChanged;
        if (poison == firstPoison)
            replies[i].ns = *time;
        return output;
    };
    if (auto hidden = hide(); !hidden)
        return std::unexpected(hidden.error());
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
                outputs[i].begin() + static_cast<std::ptrdiff_t>(at));
    }
    if (!replies.empty())
        replies.front().spentNs = std::exchange(m_spent, {});
    return replies;
}

} // namespace tilewright
