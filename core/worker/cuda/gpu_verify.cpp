// SPDX-License-Identifier: Apache-2.0
// One launch held against the reference, element by element. The truth is computed after the launch, into memory that
// is unmapped again before candidate code runs the next time.
#include "core/worker/cuda/gpu_bench.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

namespace tilewright {
namespace {

constexpr std::int64_t largestPlain = 1 << 23; ///< multiplications for which the plain reference is as fast as tiles
constexpr std::int64_t tileRows = 64, tileColumns = 128, leastShare = 128; ///< of productByTiles

/// As the kernels see it.
struct Verdict {
    double differences = 0, squares = 0;
    std::uint64_t worst = 0, unwritten = 0, notFinite = 0, inexact = 0, differing = 0, inputs = 0, zones = 0;
    std::uint64_t notFirstBad = 0; ///< ~index; 0: none
    double got = 0, want = 0, magnitude = 0;
};

void addTo(VerifyReply& reply, const Verdict& found)
{
    reply.worstExcess = static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(found.worst >> 32)));
    reply.worstIndex = static_cast<std::uint32_t>(found.worst);
    reply.unwritten += static_cast<std::int64_t>(found.unwritten);
    reply.notFinite += static_cast<std::int64_t>(found.notFinite);
    reply.inexact += static_cast<std::int64_t>(found.inexact);
    reply.differing += static_cast<std::int64_t>(found.differing);
    reply.inputsChanged += static_cast<std::int64_t>(found.inputs);
    reply.zonesChanged += static_cast<std::int64_t>(found.zones);
    reply.firstBad = found.notFirstBad == 0 ? -1 : static_cast<std::int64_t>(~found.notFirstBad);
    reply.differenceSquares = found.differences;
    reply.referenceSquares = found.squares;
    reply.got = found.got;
    reply.want = found.want;
    reply.magnitude = found.magnitude;
}

} // namespace

GpuResult<GpuProgram*> GpuBench::ready(const VerifyRequest& request, const BoundBuffers& buffers)
{
    const auto found = m_programs.find(request.slot);
    if (found == m_programs.end())
        return std::unexpected(GpuFailure{{"protocol/field", "no program in slot " + request.slot, "", nullptr}});
    GpuProgram& program = *found->second.program;
    Result<void> ready;
    if (found->second.reloadAlways) {
        if (const cu::Code code = m_driver.streamSynchronize(m_stream); code != 0) // a launch of it may be under way
            return std::unexpected(failed(code, "the program failed while it ran"));
        ready = program.reload();
    }
    if (ready)
        ready = program.prepare(request.plan, request.dims, {buffers});
    if (!ready)
        return std::unexpected(GpuFailure{ready.error(), false});
    return &program;
}

GpuResult<cu::Code> GpuBench::queueOnce(const VerifyRequest& request, const BoundBuffers& buffers, std::uint8_t poison)
{
    std::optional<Spending> spending(std::in_place, m_spent, "launch");
    cu::Code code = poison == secondPoison ? forgetAll(poison) : clearFindings(mostFindings);
    if (code == 0)
        code = prepare({buffers, request.extents, request.seed, request.kind, poison, 0, findsCold(request, poison)});
    if (code != 0)
        return std::unexpected(failed(code, "the launch cannot be prepared"));
    // While inputs are filled, which is no program's work.
    spending.emplace(m_spent, "hide");
    if (auto hidden = m_memory.hide(); !hidden)
        return std::unexpected(GpuFailure{hidden.error(), true});
    spending.emplace(m_spent, "load");
    const auto program = ready(request, buffers);
    if (!program)
        return std::unexpected(program.error());
    spending.emplace(m_spent, "launch");
    return queueLaunch([&] { return (*program)->launch(m_stream); });
}

cu::Code GpuBench::clearFindings(std::size_t count)
{
    return m_driver.memsetD8Async(findings(), 0, count * bytesOfFindings, m_stream);
}

cu::Code GpuBench::forgetAll(std::uint8_t poison)
{
    std::memset(m_released + 1, 0, bytesAtHome - sizeof *m_released); // the first word holds the stream
    cu::Code code = m_memory.poisonAll(poison, m_stream);
    const auto step = [&](cu::Code next) { code = code == 0 ? next : code; };
    step(m_driver.memsetD8Async(m_results, 0, bytesOfResults, m_stream));
    step(m_driver.memsetD8Async(m_flush, poison, 2 * m_limits.l2Bytes, m_stream));
    if (m_projection != 0)
        step(m_driver.memsetD8Async(m_projection, 0, 8 * m_projectionCount, m_stream));
    return code;
}

bool GpuBench::reloadsAlways(const std::string& slot) const
{
    const auto program = m_programs.find(slot);
    return program != m_programs.end() && program->second.reloadAlways;
}

GpuResult<double> GpuBench::launchOnce(const VerifyRequest& request, const BoundBuffers& buffers, std::uint8_t poison)
{
    const auto queued = queueOnce(request, buffers, poison);
    if (!queued)
        return std::unexpected(queued.error());
    const Spending spending(m_spent, "launch");
    if (auto ended = awaitLaunch(*queued, request.slot); !ended)
        return std::unexpected(ended.error());
    const auto time = launchTime(request.slot);
    if (time)
        m_spent["launch_gpu"] += *time;
    return time;
}

GpuResult<void> GpuBench::readFindings(VerifyReply* replies, std::size_t count)
{
    static_assert(sizeof(Verdict) <= heldAt);
    std::vector<std::uint8_t> bytes(count * bytesOfFindings);
    if (const cu::Code code = m_driver.memcpyDtoH(bytes.data(), findings(), bytes.size()); code != 0)
        return std::unexpected(failed(code, "the result cannot be checked"));
    for (std::size_t i = 0; i < count; ++i) {
        Verdict found;
        std::memcpy(&found, bytes.data() + i * bytesOfFindings, sizeof found);
        addTo(replies[i], found);
    }
    return {};
}

cu::Code GpuBench::queueFound()
{
    return m_driver.memcpyDtoHAsync(m_released + foundAt, findings(), bytesOfFindings, m_stream);
}

void GpuBench::readFound(VerifyReply& reply) const
{
    Verdict found;
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(m_released + foundAt);
    std::memcpy(&found, bytes, sizeof found);
    addTo(reply, found);
}

cu::Code GpuBench::lookAround(
    const VerifyRequest& request, const BoundBuffers& buffers, std::uint8_t poison, cu::Pointer findings)
{
    cu::Pointer inputs = findings + offsetof(Verdict, inputs), zones = findings + offsetof(Verdict, zones);
    return workOn("tw_after", buffers, Parts::InputsAndZones, request.seed, request.kind, poison, {&inputs, &zones});
}

cu::Code GpuBench::lookBetween(const std::vector<BoundBuffers>& launches, std::uint8_t poison, cu::Pointer findings)
{
    return lookAtNobodys(m_memory.besides(launches), poison, findings + offsetof(Verdict, zones));
}

cu::Code GpuBench::lookAtNobodys(const std::vector<MemoryRange>& gaps, std::uint8_t poison, cu::Pointer count)
{
    std::uint32_t pattern = poison;
    cu::Code code = 0;
    for (std::size_t first = 0; first < gaps.size() && code == 0; first += mostGaps) {
        GapList list;
        list.count = static_cast<std::uint32_t>(std::min(mostGaps, gaps.size() - first));
        std::copy_n(gaps.begin() + static_cast<std::ptrdiff_t>(first), list.count, list.gap);
        code = run("tw_between", {8 * static_cast<unsigned>(m_limits.sms)}, threadsPerBlock, {&list, &pattern, &count});
    }
    return code;
}

cu::Code GpuBench::differ(cu::Pointer first, cu::Pointer second, std::uint64_t elements, cu::Pointer findings)
{
    cu::Pointer differing = findings + offsetof(Verdict, differing);
    return run("tw_differ", {blocksFor(elements)}, threadsPerBlock, {&first, &second, &elements, &differing});
}

GpuBench::Bound GpuBench::boundOf(const ProductExtents& extents) const
{
    return {1.05 * unitRoundoff(m_formats.out),
        4 * std::sqrt(static_cast<double>(extents.depth)) * unitRoundoff(GpuElement::Fp32)};
}

cu::Code GpuBench::computeByTiles(
    const VerifyRequest& request, const BoundBuffers& buffers, cu::Pointer truth, cu::Pointer magnitude)
{
    const auto [rows, columns, depth] = request.extents;
    cu::Pointer a = buffers.address[0], b = buffers.address[1];
    int m = static_cast<int>(rows), n = static_cast<int>(columns), k = static_cast<int>(depth);
    const std::int64_t across = (columns + tileColumns - 1) / tileColumns, down = (rows + tileRows - 1) / tileRows;
    // Where tiles are few, several blocks share one, and add to what is zero before.
    const std::int64_t shares
        = std::clamp<std::int64_t>(m_limits.sms / (across * down), 1, std::max<std::int64_t>(1, depth / leastShare));
    cu::Code code = 0;
    if (shares > 1)
        for (const cu::Pointer place : {truth, magnitude})
            if (code == 0)
                code = m_driver.memsetD8Async(place, 0, 8 * elementsOf(request), m_stream);
    return code != 0 ? code
                     : run(request.kind == FillKind::Integer ? "tw_product_of_integers" : "tw_product",
                         {static_cast<unsigned>(across), static_cast<unsigned>(down), static_cast<unsigned>(shares)},
                         threadsPerBlock, {&a, &b, &truth, &magnitude, &m, &n, &k});
}

cu::Code GpuBench::computeTruth(
    const VerifyRequest& request, const BoundBuffers& buffers, cu::Pointer truth, cu::Pointer magnitude)
{
    const std::uint64_t elements = elementsOf(request);
    if (request.extents.rows * request.extents.columns * request.extents.depth > largestPlain && !m_disagreed
        && m_agreed >= agreementsWanted)
        return computeByTiles(request, buffers, truth, magnitude);
    cu::Pointer a = buffers.address[0], b = buffers.address[1];
    std::vector<std::int32_t> dims(request.dims.begin(), request.dims.end());
    const auto blocks = static_cast<unsigned>((elements + threadsPerBlock - 1) / threadsPerBlock);
    return run("tilewright_reference", {blocks, 1}, threadsPerBlock, {dims.data(), &a, &b, &truth, &magnitude});
}

/// After a launch whose truth was computed plainly: the same by tiles, beside it. Inputs of several shapes and kinds
/// come by on the way of every check, the small and odd ones first.
GpuResult<bool> GpuBench::tilesAgree(const VerifyRequest& request, const BoundBuffers& buffers, cu::Pointer plain)
{
    std::uint64_t elements = elementsOf(request);
    if (isSettled() || m_memory.hiddenBytes() < plain - m_memory.hidden() + 32 * elements)
        return true;
    cu::Pointer tiles = plain + 16 * elements;
    cu::Code code = computeByTiles(request, buffers, tiles, tiles + 8 * elements);
    std::uint64_t differing = 0;
    cu::Pointer count = m_results;
    const auto step = [&](cu::Code next) { code = code == 0 ? next : code; };
    step(m_driver.memsetD8Async(m_results, 0, sizeof differing, m_stream));
    step(run("tw_apart", {blocksFor(elements)}, threadsPerBlock, {&plain, &tiles, &elements, &count}));
    step(m_driver.streamSynchronize(m_stream));
    step(m_driver.memcpyDtoH(&differing, m_results, sizeof differing));
    if (code != 0)
        return std::unexpected(failed(code, "the references cannot be compared"));
    m_disagreed = differing != 0;
    ++m_agreed;
    return !m_disagreed;
}

cu::Code GpuBench::judge(const VerifyRequest& request, const BoundBuffers& buffers, cu::Pointer c, std::uint8_t poison,
    cu::Pointer truth, cu::Pointer findings)
{
    std::uint64_t elements = elementsOf(request);
    cu::Pointer magnitude = truth + 8 * elements;
    auto [perValue, perMagnitude] = boundOf(request.extents);
    std::uint32_t word = bytesOf(m_formats.out) == 2 ? 0x0101u * poison : 0x01010101u * poison;
    cu::Code code = computeTruth(request, buffers, truth, magnitude);
    if (code == 0)
        code = run("tw_compare", {blocksFor(elements)}, threadsPerBlock,
            {&c, &truth, &magnitude, &elements, &perValue, &perMagnitude, &word, &findings});
    return code != 0 ? code : run("tw_look", {}, 1, {&c, &truth, &magnitude, &elements, &findings});
}

GpuResult<VerifyReply> GpuBench::verify(const VerifyRequest& request)
{
    if (!m_formats.product)
        return verifyOperation(request);
    const auto buffers = bind(request.extents, {}, request.plan.workspaceBytes, unforeseeable());
    if (!buffers)
        return std::unexpected(buffers.error());
    std::uint64_t elements = elementsOf(request);
    const std::uint64_t bytes = bytesOf(m_formats.out) * elements;
    if (m_memory.hiddenBytes() < 16 * elements + bytes)
        return std::unexpected(GpuFailure{{"device/memory", "too little hidden memory was requested", "", nullptr}});
    cu::Pointer c = buffers->address[2], kept = m_memory.hidden() + 16 * elements;
    VerifyReply reply;
    for (const std::uint8_t poison : {firstPoison, secondPoison}) {
        const bool first = poison == firstPoison;
        tell(0, false);
        const auto queued = queueOnce(request, *buffers, poison);
        if (!queued)
            return std::unexpected(queued.error());
        std::optional<Spending> spending(std::in_place, m_spent, "launch");
        // What needs no truth is looked at while memory for the truth is mapped.
        cu::Code code = m_driver.eventRecord(m_aroundBegin, m_stream);
        const auto step = [&](cu::Code next) { code = code == 0 ? next : code; };
        step(clearFindings());
        step(lookAround(request, *buffers, poison, findings()));
        if (!first)
            step(lookBetween({*buffers}, poison, findings()));
        step(m_driver.eventRecord(m_aroundEnd, m_stream));
        if (auto ended = awaitLaunch(*queued, request.slot); !ended)
            return std::unexpected(ended.error());
        tell(0, true);
        spending.emplace(m_spent, "reveal");
        if (auto shown = m_memory.reveal((isSettled() ? 16 : 32) * elements + bytes); !shown)
            return std::unexpected(GpuFailure{shown.error(), true});
        spending.emplace(m_spent, "compare");
        VerifyReply found = first ? VerifyReply{} : reply;
        step(beginChecks());
        if (first) {
            step(judge(request, *buffers, c, poison, m_memory.hidden(), findings()));
            if (request.twice)
                step(m_driver.memcpyDtoDAsync(kept, c, bytes, m_stream));
        } else {
            step(differ(kept, c, elements, findings()));
        }
        step(endChecks());
        step(queueFound());
        const auto time = launchTime(request.slot);
        step(m_driver.streamSynchronize(m_stream));
        if (code != 0)
            return std::unexpected(failed(code, "the result cannot be checked"));
        if (!time)
            return std::unexpected(time.error());
        m_spent["launch_gpu"] += *time;
        addChecksAndAround();
        readFound(found);
        if (first) {
            reply = found;
            reply.ns = *time;
            if (!request.twice) // what was kept of the first launch would be overwritten
                if (const auto agree = tilesAgree(request, *buffers, m_memory.hidden()); !agree)
                    return std::unexpected(agree.error());
        } else {
            reply.differing = found.differing;
            reply.inputsChanged = found.inputsChanged;
            reply.zonesChanged = found.zonesChanged;
        }
        if (!request.twice)
            break;
    }
    reply.spentNs = std::exchange(m_spent, {});
    return reply; // what is revealed is hidden before the next launch of a program
}

} // namespace tilewright
