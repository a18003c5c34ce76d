// SPDX-License-Identifier: GPL-3.0-or-later
// One launch held against the reference, element by element. The truth is computed after the launch, into memory that
// is unmapped again before candidate code runs the next time.
#include "core/worker/cuda/gpu_bench.h"

#include <bit>
#include <cmath>
#include <optional>
#include <utility>

namespace tilewright {
namespace {

constexpr std::uint8_t firstPoison = 0xff, secondPoison = 0x7b;
constexpr int agreementsWanted = 12; ///< launches for which the plain reference is computed as well

/// As tw_compare sees it.
struct Verdict {
    double differences = 0, squares = 0;
    std::uint64_t worst = 0, unwritten = 0, notFinite = 0, inexact = 0, differing = 0, inputs = 0, zones = 0;
    std::uint64_t firstBad = ~std::uint64_t(0);
};

} // namespace

GpuResult<VerifyReply> GpuBench::verify(const VerifyRequest& request)
{
    const auto found = m_programs.find(request.slot);
    if (found == m_programs.end())
        return std::unexpected(GpuFailure{{"protocol/field", "no program in slot " + request.slot, "", nullptr}});
    const auto buffers = bind(request.extents, request.plan.workspaceBytes);
    if (!buffers)
        return std::unexpected(buffers.error());
    GpuProgram& program = *found->second.program;
    m_spent.clear();
    VerifyReply reply;
    for (const std::uint8_t poison : {firstPoison, secondPoison}) {
        std::optional<Spending> spending(std::in_place, m_spent, "hide");
        if (auto hidden = m_memory.hide(); !hidden)
            return std::unexpected(GpuFailure{hidden.error(), true});
        spending.emplace(m_spent, "load");
        auto ready = program.reload();
        if (ready)
            ready = program.prepare(request.plan, request.dims, *buffers);
        if (!ready)
            return std::unexpected(GpuFailure{ready.error(), false});
        spending.emplace(m_spent, "launch");
        if (const cu::Code code = prepare({*buffers, request.extents, request.seed, request.kind, poison}); code != 0)
            return std::unexpected(failed(code, "the launch cannot be prepared"));
        const auto time = launchBetweenEvents([&] { return program.launch(m_stream); }, request.slot);
        if (!time)
            return std::unexpected(time.error());
        spending.emplace(m_spent, "reveal");
        if (auto shown = m_memory.reveal(); !shown)
            return std::unexpected(GpuFailure{shown.error(), true});
        spending.emplace(m_spent, "compare");
        auto compared = compare(request, *buffers, poison);
        if (!compared)
            return compared;
        if (poison == firstPoison) {
            reply = *compared;
            reply.ns = *time;
            if (!request.twice) // what was kept of the first launch would be overwritten
                if (const auto agree = tilesAgree(request, *buffers); !agree)
                    return std::unexpected(agree.error());
        } else {
            reply.differing = compared->differing;
            reply.inputsChanged += compared->inputsChanged;
            reply.zonesChanged += compared->zonesChanged;
        }
        if (!request.twice)
            break;
    }
    reply.spentNs = m_spent;
    return reply; // what is revealed is hidden before the next launch of a program
}

GpuBench::Bound GpuBench::boundOf(const ProductExtents& extents) const
{
    return {1.05 * unitRoundoff(m_formats.out),
        4 * std::sqrt(static_cast<double>(extents.depth)) * unitRoundoff(GpuElement::Fp32)};
}

cu::Code GpuBench::computeTruth(
    const VerifyRequest& request, const BoundBuffers& buffers, cu::Pointer truth, cu::Pointer magnitude)
{
    const auto [rows, columns, depth] = request.extents;
    cu::Pointer a = buffers.address[0], b = buffers.address[1];
    if (!m_disagreed && m_agreed >= agreementsWanted) {
        int m = static_cast<int>(rows), n = static_cast<int>(columns), k = static_cast<int>(depth);
        return run("tw_product", {static_cast<unsigned>((columns + 63) / 64), static_cast<unsigned>((rows + 63) / 64)},
            threadsPerBlock, {&a, &b, &truth, &magnitude, &m, &n, &k});
    }
    std::vector<std::int32_t> dims(request.dims.begin(), request.dims.end());
    const auto blocks = static_cast<unsigned>((rows * columns + threadsPerBlock - 1) / threadsPerBlock);
    return run("tilewright_reference", {blocks, 1}, threadsPerBlock, {dims.data(), &a, &b, &truth, &magnitude});
}

/// After a launch whose truth was computed plainly: the same by tiles, over it, bit by bit. Inputs of several shapes
/// and kinds come by on the way of every check, the small and odd ones first.
GpuResult<bool> GpuBench::tilesAgree(const VerifyRequest& request, const BoundBuffers& buffers)
{
    auto elements = static_cast<std::uint64_t>(request.extents.rows * request.extents.columns);
    if (m_disagreed || m_agreed >= agreementsWanted || m_memory.hiddenBytes() < 32 * elements)
        return true;
    const cu::Pointer plain = m_memory.hidden(), tiles = plain + 16 * elements;
    const int agreed = std::exchange(m_agreed, agreementsWanted);
    cu::Code code = computeTruth(request, buffers, tiles, tiles + 8 * elements);
    m_agreed = agreed;
    std::uint64_t doubles = 2 * elements, differing = 0;
    cu::Pointer count = m_results;
    const auto step = [&](cu::Code next) { code = code == 0 ? next : code; };
    step(m_driver.memsetD8Async(m_results, 0, sizeof differing, m_stream));
    step(run("tw_apart", {static_cast<unsigned>(4 * m_limits.sms), 1}, threadsPerBlock,
        {const_cast<cu::Pointer*>(&plain), const_cast<cu::Pointer*>(&tiles), &doubles, &count}));
    step(m_driver.streamSynchronize(m_stream));
    step(m_driver.memcpyDtoH(&differing, m_results, sizeof differing));
    if (code != 0)
        return std::unexpected(failed(code, "the references cannot be compared"));
    m_disagreed = differing != 0;
    ++m_agreed;
    return !m_disagreed;
}

GpuResult<VerifyReply> GpuBench::compare(const VerifyRequest& request, const BoundBuffers& buffers, std::uint8_t poison)
{
    auto elements = static_cast<std::uint64_t>(request.extents.rows * request.extents.columns);
    const bool first = poison == firstPoison;
    if (m_memory.hiddenBytes() < (16 + bytesOf(m_formats.out)) * elements)
        return std::unexpected(GpuFailure{{"device/memory", "too little hidden memory was asked for", "", nullptr}});
    cu::Pointer truth = m_memory.hidden(), magnitude = truth + 8 * elements, kept = magnitude + 8 * elements;
    cu::Pointer c = buffers.address[2];
    const Verdict empty;
    const unsigned spread = static_cast<unsigned>(4 * m_limits.sms);
    cu::Code code = 0;
    const auto step = [&](cu::Code next) { code = code == 0 ? next : code; };
    step(m_driver.memsetD8Async(m_results, 0, sizeof empty, m_stream));
    cu::Pointer firstBad = m_results + offsetof(Verdict, firstBad);
    step(m_driver.memsetD8Async(firstBad, 0xff, 8, m_stream));
    if (first) {
        step(computeTruth(request, buffers, truth, magnitude));
        auto [perValue, perMagnitude] = boundOf(request.extents);
        std::uint32_t word = m_formats.out == GpuElement::Bf16 ? 0x0101u * poison : 0x01010101u * poison;
        step(run("tw_compare", {spread, 1}, threadsPerBlock,
            {&c, &truth, &magnitude, &elements, &perValue, &perMagnitude, &word, &m_results}));
        if (request.twice)
            step(m_driver.memcpyDtoDAsync(kept, c, bytesOf(m_formats.out) * elements, m_stream));
    } else {
        cu::Pointer differing = m_results + offsetof(Verdict, differing);
        step(run("tw_differ", {spread, 1}, threadsPerBlock, {&kept, &c, &elements, &differing}));
    }
    cu::Pointer inputs = m_results + offsetof(Verdict, inputs), zonesFound = m_results + offsetof(Verdict, zones);
    std::uint64_t seed = request.seed;
    int kind = static_cast<int>(request.kind);
    for (std::uint32_t tensor = 0; tensor < 2; ++tensor) {
        cu::Pointer address = buffers.address[tensor];
        std::uint64_t count = buffers.bytes[tensor] / bytesOf(m_formats.in);
        step(run("tw_changed", {spread, 1}, threadsPerBlock, {&address, &count, &seed, &tensor, &kind, &inputs}));
    }
    ZoneList zones = GpuMemory::zones(buffers);
    std::uint32_t pattern = poison;
    step(run("tw_check_zones", {16, 2 * bufferCount}, threadsPerBlock, {&zones, &pattern, &zonesFound}));
    Verdict verdict;
    step(m_driver.streamSynchronize(m_stream));
    step(m_driver.memcpyDtoH(&verdict, m_results, sizeof verdict));
    VerifyReply reply;
    const auto index = static_cast<std::uint32_t>(verdict.worst);
    if (first && index < elements) {
        std::uint32_t bits = 0;
        const std::uint64_t size = bytesOf(m_formats.out);
        step(m_driver.memcpyDtoH(&bits, c + size * index, size));
        step(m_driver.memcpyDtoH(&reply.want, truth + 8ull * index, sizeof reply.want));
        step(m_driver.memcpyDtoH(&reply.magnitude, magnitude + 8ull * index, sizeof reply.magnitude));
        reply.got = static_cast<double>(std::bit_cast<float>(size == 2 ? bits << 16 : bits));
    }
    if (code != 0)
        return std::unexpected(failed(code, "the result cannot be checked"));
    reply.worstExcess = static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(verdict.worst >> 32)));
    reply.worstIndex = index;
    reply.unwritten = static_cast<std::int64_t>(verdict.unwritten);
    reply.notFinite = static_cast<std::int64_t>(verdict.notFinite);
    reply.inexact = static_cast<std::int64_t>(verdict.inexact);
    reply.differing = static_cast<std::int64_t>(verdict.differing);
    reply.inputsChanged = static_cast<std::int64_t>(verdict.inputs);
    reply.zonesChanged = static_cast<std::int64_t>(verdict.zones);
    reply.firstBad = verdict.firstBad == ~std::uint64_t(0) ? -1 : static_cast<std::int64_t>(verdict.firstBad);
    reply.differenceSquares = verdict.differences;
    reply.referenceSquares = verdict.squares;
    return reply;
}

} // namespace tilewright
