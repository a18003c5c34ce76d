// SPDX-License-Identifier: Apache-2.0
// Many launches held against the reference at once. Each has buffers of its own, so that they run one behind another
// and nobody waits in between, and memory for truths is hidden and revealed once for all of them. When a launch begins,
// inputs of those before it stand in reach, and what the program itself made of them: never its own inputs' truth,
// never another program's output. What it does to them is found: inputs and zones are looked at when the last launch is
// over. What it left itself, output and workspace, is sealed at once and looked at again then. Before the second
// launches all memory in reach is poisoned, and what is none of theirs must be so when they are over.
#include "core/worker/cuda/gpu_bench.h"

#include <algorithm>
#include <utility>

namespace tilewright {
namespace {

constexpr std::size_t fewUnderWay = 16; ///< launches that are queued ahead of the one that is waited for
constexpr std::uint64_t mostBeside = 128 << 20; ///< bytes of truths that are computed side by side

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
        kept += request.twice ? alignedBytes(bytesOf(m_formats.out) * elementsOf(request)) : 0;
        all.truths.push_back(truths);
        truths += alignedBytes(16 * elementsOf(request));
        largest = std::max(largest, alignedBytes(16 * elementsOf(request)));
    }
    auto bound = m_memory.bindBeside(sizes, unforeseeable());
    if (!bound)
        return std::unexpected(GpuFailure{bound.error(), false});
    all.buffers = std::move(*bound);
    all.beside = truths <= mostBeside && kept + truths <= m_memory.hiddenBytes();
    for (std::uint64_t& truth : all.truths)
        truth = kept + (all.beside ? truth : 0);
    all.bytes = kept + (all.beside ? truths : largest);
    if (all.bytes > m_memory.hiddenBytes())
        return std::unexpected(GpuFailure{{"device/memory", "too little hidden memory was requested", "", nullptr}});
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
    const std::uint64_t key = unforeseeable();
    cu::Code code
        = poison == secondPoison ? forgetAll(poison) : m_driver.memsetD8Async(m_results, 0, bytesOfResults, m_stream);
    *static_cast<volatile std::uint32_t*>(m_released + underWayAt) = 0;
    const auto step = [&](cu::Code next) { code = code == 0 ? next : code; };
    step(m_driver.eventRecord(m_prepareBegin, m_stream));
    tell(which.front(), false);
    std::size_t over = 0; // launches that were waited for
    const auto awaitNext = [&] {
        const cu::Code ended = m_driver.eventSynchronize(m_launches[over][1]);
        if (ended == 0 && ++over < which.size())
            tell(which[over], false);
        return ended;
    };
    std::size_t last = which.front();
    for (std::size_t k = 0; code == 0 && k < which.size(); ++k) {
        const VerifyRequest& request = all.requests[last = which[k]];
        const BoundBuffers& buffers = all.buffers[last];
        Preparation preparation{buffers, request.extents, request.seed, request.kind, poison};
        preparation.number = static_cast<std::uint32_t>(last) + 1;
        step(fillAndPoison(preparation));
        step(findsCold(request, poison) ? emptyCaches() : scrub());
        if (k == 0) { // while inputs are filled, which is no program's work
            spending.emplace(m_spent, "hide");
            if (auto hidden = m_memory.hide(); !hidden)
                return std::unexpected(GpuFailure{hidden.error(), true});
        }
        spending.emplace(m_spent, "load");
        if (reloadsAlways(request.slot)) // what fails before it is loaded anew is the launch before it
            while (code == 0 && over < k)
                if (const cu::Code why = awaitNext(); why != 0)
                    return std::unexpected(failedTogether(all, 0, why, which[over]));
        auto program = code == 0 ? ready(request, buffers) : GpuResult<GpuProgram*>(nullptr);
        spending.emplace(m_spent, "launch");
        if (!program) {
            (void)m_driver.streamSynchronize(m_stream);
            return ofItem(std::move(program.error()), last);
        }
        if (code == 0)
            code = queueLaunch([&] { return (*program)->launch(m_stream); }, m_launches[k][0], m_launches[k][1]);
        step(seal(buffers, last, key, false));
        if (code == 0 && k >= fewUnderWay + over)
            code = awaitNext();
    }
    const cu::Code queued = code;
    step(m_driver.eventRecord(m_aroundBegin, m_stream));
    step(clearFindings(all.requests.size()));
    for (const std::size_t i : which)
        if (code == 0)
            step(lookAround(all.requests[i], all.buffers[i], poison, findings(i)));
    for (const std::size_t i : which)
        if (code == 0)
            step(seal(all.buffers[i], i, key, true));
    if (poison == secondPoison) {
        std::vector<BoundBuffers> launched;
        for (const std::size_t i : which)
            launched.push_back(all.buffers[i]);
        step(lookBetween(launched, poison, findings(which.front())));
    }
    step(m_driver.eventRecord(m_aroundEnd, m_stream));
    cu::Code ended = queued != 0 ? m_driver.streamSynchronize(m_stream) : 0;
    while (queued == 0 && ended == 0 && over < which.size())
        ended = awaitNext();
    if (queued != 0 || ended != 0)
        return std::unexpected(failedTogether(all, queued, ended, last));
    if (code != 0)
        return std::unexpected(failed(code, "the result cannot be checked"));
    tell(last, true);
    cu::Event before = m_prepareBegin;
    for (std::size_t k = 0; k < which.size(); ++k) {
        const auto& [begun, finish] = m_launches[k];
        float milliseconds = 0;
        if (const cu::Code read = m_driver.eventElapsedTime(&milliseconds, begun, finish); read != 0)
            return ofItem(failedLaunch(read, "the events cannot be read", all.requests[which[k]].slot), which[k]);
        const double ns = static_cast<double>(milliseconds) * 1e6;
        addBetween(std::exchange(before, finish), begun, "prepare_gpu");
        m_spent["launch_gpu"] += ns;
        if (poison == firstPoison)
            replies[which[k]].ns = ns;
    }
    return {};
}

cu::Code GpuBench::seal(const BoundBuffers& buffers, std::size_t item, std::uint64_t key, bool opens)
{
    cu::Pointer output = buffers.address[2], workspace = buffers.address[3], place = m_results + sealsAt + 8 * item;
    std::uint64_t outputBytes = buffers.bytes[2], workspaceBytes = buffers.bytes[3], own = key + item;
    int taken = opens ? 1 : 0;
    return run("tw_seal", {blocksFor((outputBytes + workspaceBytes) / 16)}, threadsPerBlock,
        {&output, &outputBytes, &workspace, &workspaceBytes, &own, &taken, &place});
}

GpuResult<void> GpuBench::readSeals(std::vector<VerifyReply>& replies)
{
    std::vector<std::uint64_t> left(replies.size());
    if (const cu::Code code = m_driver.memcpyDtoH(left.data(), m_results + sealsAt, 8 * left.size()); code != 0)
        return std::unexpected(failed(code, "the result cannot be checked"));
    for (std::size_t i = 0; i < left.size(); ++i)
        replies[i].zonesChanged += left[i] != 0; // memory that was no longer its launch's
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
    addAround();
    addBetween(m_checkBegin, m_checkEnd, "check_gpu");
    if (auto read = readFindings(replies.data(), replies.size()); !read)
        return read;
    return readSeals(replies);
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
    addAround();
    addBetween(m_checkBegin, m_checkEnd, "check_gpu");
    std::vector<VerifyReply> found(replies.size());
    if (auto read = readFindings(found.data(), found.size()); !read)
        return read;
    if (auto read = readSeals(found); !read)
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
        return std::unexpected(GpuFailure{{"protocol/field", "too many launches at once, or none", "", nullptr}});
    std::vector<VerifyReply> replies;
    if (!m_formats.product || !isSettled()) { // one by one
        for (std::size_t i = 0; i < requests.size(); ++i) {
            m_firstItem = i;
            auto reply = verify(requests[i]);
            m_firstItem = 0;
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
