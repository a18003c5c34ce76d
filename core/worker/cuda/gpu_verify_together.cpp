// SPDX-License-Identifier: GPL-3.0-or-later
// Many launches held against the reference at once. Each has buffers of its own, so that they run one behind another
// and nobody waits in between, and memory for truths is hidden and revealed once for all of them. When a launch begins,
// inputs of those before it stand in reach, and what the program itself made of them: never its own inputs' truth,
// never another program's output. What it does to them is found: inputs and zones are looked at when the last launch is
// over.
#include "core/worker/cuda/gpu_bench.h"

#include <algorithm>
#include <utility>

namespace tilewright {
namespace {

constexpr std::uint64_t mostBeside = 128 << 20; ///< bytes of truths that are computed side by side

std::uint64_t aligned(std::uint64_t bytes) { return (bytes + bufferAlignment - 1) / bufferAlignment * bufferAlignment; }

std::unexpected<GpuFailure> ofItem(GpuFailure failure, std::size_t item)
{
    if (!failure.error.evidence.is_object())
        failure.error.evidence = nlohmann::json::object();
    failure.error.evidence["item"] = item;
    return std::unexpected(std::move(failure));
}

} // namespace

/// In hidden memory: first what is kept of the first launches, then truths, one after another where there is room to
/// compute them side by side, else one for all.
struct GpuBench::Together {
    const std::vector<VerifyRequest>& requests;
    std::vector<BoundBuffers> buffers;
    std::vector<std::uint64_t> kept, truths;
    std::uint64_t bytes = 0;
    bool beside = false;
};

GpuResult<GpuBench::Together> GpuBench::layOut(const std::vector<VerifyRequest>& requests) const
{
    Together all{requests, {}, {}, {}};
    std::vector<std::vector<std::uint64_t>> sizes;
    std::uint64_t kept = 0, truths = 0, largest = 0;
    for (const VerifyRequest& request : requests) {
        const auto bytes = sizesOf(request.extents, {}, request.plan.workspaceBytes);
        if (!bytes)
            return std::unexpected(bytes.error());
        sizes.push_back(*bytes);
        all.kept.push_back(kept);
        kept += request.twice ? aligned(bytesOf(m_formats.out) * elementsOf(request)) : 0;
        all.truths.push_back(truths);
        truths += aligned(16 * elementsOf(request));
        largest = std::max(largest, aligned(16 * elementsOf(request)));
    }
    auto bound = m_memory.bindBeside(sizes);
    if (!bound)
        return std::unexpected(GpuFailure{bound.error(), false});
    all.buffers = std::move(*bound);
    all.beside = truths <= mostBeside && kept + truths <= m_memory.hiddenBytes();
    for (std::uint64_t& truth : all.truths)
        truth = kept + (all.beside ? truth : 0);
    all.bytes = kept + (all.beside ? truths : largest);
    if (all.bytes > m_memory.hiddenBytes())
        return std::unexpected(GpuFailure{{"device/memory", "too little hidden memory was asked for", "", nullptr}});
    return all;
}

GpuResult<void> GpuBench::showHidden(std::uint64_t bytes)
{
    const Spending spending(m_spent, "reveal");
    if (auto shown = m_memory.reveal(bytes); !shown)
        return std::unexpected(GpuFailure{shown.error(), true});
    return {};
}

/// Why launches that stand in a row did not all end well, and which of them it was: the one that could not be queued,
/// `last`, or one before it that failed as it ran.
GpuFailure GpuBench::failedTogether(const Together& all, cu::Code queued, cu::Code ended, std::size_t last) const
{
    if (queued != 0 && !cu::Driver::isSticky(queued))
        return ofItem(whyNotQueued(queued, all.requests[last].slot), last).error();
    const std::uint32_t number = *static_cast<volatile std::uint32_t*>(m_released + underWayAt);
    const std::size_t item = number >= 1 && number <= all.requests.size() ? number - 1 : last;
    return ofItem(
        failedLaunch(ended != 0 ? ended : queued, "the program failed while it ran", all.requests[item].slot), item)
        .error();
}

GpuResult<void> GpuBench::launchTogether(
    const Together& all, const std::vector<std::size_t>& which, std::uint8_t poison, std::vector<VerifyReply>& replies)
{
    for (m_launches.reserve(which.size()); m_launches.size() < which.size();) {
        std::array<cu::Event, 2> events{};
        for (cu::Event& event : events)
            if (const cu::Code code = m_driver.eventCreate(&event, 0); code != 0)
                return std::unexpected(failed(code, "no event"));
        m_launches.push_back(events);
    }
    std::optional<Spending> spending(std::in_place, m_spent, "launch");
    *static_cast<volatile std::uint32_t*>(m_released + underWayAt) = 0;
    cu::Code code = m_driver.eventRecord(m_prepareBegin, m_stream);
    const auto step = [&](cu::Code next) { code = code == 0 ? next : code; };
    std::size_t last = which.front();
    cu::Event end = nullptr;
    for (std::size_t k = 0; code == 0 && k < which.size(); ++k) {
        const VerifyRequest& request = all.requests[last = which[k]];
        const BoundBuffers& buffers = all.buffers[last];
        Preparation preparation{buffers, request.extents, request.seed, request.kind, poison};
        preparation.number = static_cast<std::uint32_t>(last) + 1;
        step(fillAndPoison(preparation));
        step(scrub());
        if (k == 0) { // while inputs are filled, which is no program's work
            spending.emplace(m_spent, "hide");
            if (auto hidden = m_memory.hide(); !hidden)
                return std::unexpected(GpuFailure{hidden.error(), true});
        }
        spending.emplace(m_spent, "load");
        auto program = code == 0 ? ready(request, buffers) : GpuResult<GpuProgram*>(nullptr);
        spending.emplace(m_spent, "launch");
        if (!program) {
            (void)m_driver.streamSynchronize(m_stream);
            return ofItem(std::move(program.error()), last);
        }
        if (code == 0)
            code = queueLaunch([&] { return (*program)->launch(m_stream); }, m_launches[k][0], m_launches[k][1]);
        end = m_launches[k][1];
    }
    const cu::Code queued = code;
    step(m_driver.eventRecord(m_aroundBegin, m_stream));
    step(clearFindings(all.requests.size()));
    for (const std::size_t i : which)
        if (code == 0)
            step(lookAround(all.requests[i], all.buffers[i], poison, findings(i)));
    step(m_driver.eventRecord(m_aroundEnd, m_stream));
    const cu::Code ended = queued != 0 ? m_driver.streamSynchronize(m_stream) : m_driver.eventSynchronize(end);
    if (queued != 0 || ended != 0)
        return std::unexpected(failedTogether(all, queued, ended, last));
    if (code != 0)
        return std::unexpected(failed(code, "the result cannot be checked"));
    cu::Event before = m_prepareBegin;
    for (std::size_t k = 0; k < which.size(); ++k) {
        const auto& [begun, over] = m_launches[k];
        float milliseconds = 0;
        if (const cu::Code read = m_driver.eventElapsedTime(&milliseconds, begun, over); read != 0)
            return ofItem(failedLaunch(read, "the events cannot be read", all.requests[which[k]].slot), which[k]);
        const double ns = static_cast<double>(milliseconds) * 1e6;
        addBetween(std::exchange(before, over), begun, "prepare_gpu");
        m_spent["launch_gpu"] += ns;
        if (poison == firstPoison)
            replies[which[k]].ns = ns;
    }
    return {};
}

/// A small truth is a few threads' long way: several are under way at a time.
GpuResult<void> GpuBench::judgeTogether(const Together& all, std::vector<VerifyReply>& replies)
{
    if (auto shown = showHidden(all.bytes); !shown)
        return shown;
    const Spending spending(m_spent, "compare");
    cu::Code code = beginChecks();
    const auto step = [&](cu::Code next) { code = code == 0 ? next : code; };
    if (all.beside)
        for (const cu::Stream stream : m_beside)
            step(m_driver.streamWaitEvent(stream, m_checkBegin, 0));
    for (std::size_t i = 0; code == 0 && i < all.requests.size(); ++i) {
        const VerifyRequest& request = all.requests[i];
        const cu::Pointer c = all.buffers[i].address[2];
        const Aside aside(m_stream, all.beside ? m_beside[i % m_beside.size()] : m_stream);
        step(judge(request, all.buffers[i], c, firstPoison, m_memory.hidden() + all.truths[i], findings(i)));
        if (request.twice)
            step(m_driver.memcpyDtoDAsync(
                m_memory.hidden() + all.kept[i], c, bytesOf(m_formats.out) * elementsOf(request), m_stream));
    }
    for (std::size_t i = 0; all.beside && i < m_beside.size(); ++i) {
        step(m_driver.eventRecord(m_besideEnds[i], m_beside[i]));
        step(m_driver.streamWaitEvent(m_stream, m_besideEnds[i], 0));
    }
    step(endChecks());
    step(m_driver.streamSynchronize(m_stream));
    if (code != 0)
        return std::unexpected(failed(code, "the result cannot be checked"));
    addBetween(m_aroundBegin, m_aroundEnd, "check_gpu");
    addBetween(m_aroundEnd, m_checkBegin, "turn_gpu");
    addBetween(m_checkBegin, m_checkEnd, "check_gpu");
    return readFindings(replies.data(), replies.size());
}

/// What the second launches wrote, bit by bit, against what was kept of the first ones.
GpuResult<void> GpuBench::compareAgain(
    const Together& all, const std::vector<std::size_t>& which, std::vector<VerifyReply>& replies)
{
    if (auto shown = showHidden(all.bytes); !shown)
        return shown;
    const Spending spending(m_spent, "compare");
    cu::Code code = beginChecks();
    const auto step = [&](cu::Code next) { code = code == 0 ? next : code; };
    for (const std::size_t i : which)
        step(differ(
            m_memory.hidden() + all.kept[i], all.buffers[i].address[2], elementsOf(all.requests[i]), findings(i)));
    step(endChecks());
    step(m_driver.streamSynchronize(m_stream));
    if (code != 0)
        return std::unexpected(failed(code, "the result cannot be checked"));
    addBetween(m_aroundBegin, m_aroundEnd, "check_gpu");
    addBetween(m_aroundEnd, m_checkBegin, "turn_gpu");
    addBetween(m_checkBegin, m_checkEnd, "check_gpu");
    std::vector<VerifyReply> found(replies.size());
    if (auto read = readFindings(found.data(), found.size()); !read)
        return read;
    for (const std::size_t i : which) {
        replies[i].differing += found[i].differing;
        replies[i].inputsChanged += found[i].inputsChanged;
        replies[i].zonesChanged += found[i].zonesChanged;
    }
    return {};
}

GpuResult<std::vector<VerifyReply>> GpuBench::verifyTogether(const std::vector<VerifyRequest>& requests)
{
    if (requests.empty() || requests.size() > mostFindings)
        return std::unexpected(GpuFailure{{"protocol/field", "too many launches in one go, or none", "", nullptr}});
    std::vector<VerifyReply> replies;
    if (!m_formats.product || !isSettled()) { // one by one
        for (std::size_t i = 0; i < requests.size(); ++i) {
            auto reply = verify(requests[i]);
            if (!reply)
                return ofItem(std::move(reply.error()), i);
            replies.push_back(std::move(*reply));
        }
        return replies;
    }
    const auto all = layOut(requests);
    if (!all)
        return std::unexpected(all.error());
    std::vector<std::size_t> once, twice;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        once.push_back(i);
        if (requests[i].twice)
            twice.push_back(i);
    }
    replies.resize(requests.size());
    if (auto launched = launchTogether(*all, once, firstPoison, replies); !launched)
        return std::unexpected(launched.error());
    if (auto judged = judgeTogether(*all, replies); !judged)
        return std::unexpected(judged.error());
    if (!twice.empty()) {
        if (auto launched = launchTogether(*all, twice, secondPoison, replies); !launched)
            return std::unexpected(launched.error());
        if (auto compared = compareAgain(*all, twice, replies); !compared)
            return std::unexpected(compared.error());
    }
    replies.front().spentNs = std::exchange(m_spent, {});
    return replies; // what is revealed is hidden before the next launch of a program
}

} // namespace tilewright
