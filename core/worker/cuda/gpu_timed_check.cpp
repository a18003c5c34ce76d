// SPDX-License-Identifier: Apache-2.0
// The check of a product that was timed: Freivalds' test of each launch, with signs that are drawn after it, and of
// bf16 some rows that are computed anew.
#include "core/worker/cuda/gpu_runner.h"

#include <bit>
#include <cstring>

namespace tilewright {
namespace {

constexpr unsigned rowsThreads = 128, rowsBlocks = 4; ///< of tw_rows: 4 times 8 rows
constexpr int manyRows = 2048; ///< from which on each of them is one warp's

/// As tw_freivalds sees it.
struct Timed {
    double differences = 0, norms = 0;
    std::uint64_t worst = 0, notFinite = 0, inputs = 0, zones = 0, rows = 0;
};

/// Of a figure and where it was found, as the kernels keep the largest.
double figureIn(std::uint64_t packed)
{
    return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(packed >> 32)));
}

/// What is larger, or not a number, after which nothing is worse.
bool isWorse(double one, double other) { return other == other && !(one <= other); }

double ratioOf(double differences, double norms) { return differences == 0 ? 0 : differences / norms; }

} // namespace

cu::Code GpuBench::allocateProjection(std::uint64_t depth)
{
    if (m_projectionCount >= depth)
        return 0;
    if (m_projection != 0)
        m_driver.memFree(std::exchange(m_projection, 0));
    m_projectionCount = 0;
    const cu::Code code = m_driver.memAlloc(&m_projection, 8 * depth);
    if (code == 0)
        m_projectionCount = depth;
    return code;
}

cu::Code GpuBench::queueLookAround(const Runner& runner, std::uint8_t poison)
{
    const std::vector<FilledSet>& sets = runner.drawn;
    cu::Code code = clearFindings(sets.size() + runner.held.size()); // a program could reach them
    const auto step = [&](cu::Code next) { code = code == 0 ? next : code; };
    step(m_driver.eventRecord(m_aroundBegin, m_stream));
    for (std::size_t set = 0; set < sets.size(); ++set) {
        cu::Pointer inputs = findings(set) + offsetof(Timed, inputs), zones = findings(set) + offsetof(Timed, zones);
        step(workOn(
            "tw_after", sets[set].buffers, Parts::Zones, sets[set].seed, FillKind::Normal, poison, {&inputs, &zones}));
    }
    step(lookAtHeld(runner, poison, sets.size()));
    step(m_driver.eventRecord(m_aroundEnd, m_stream));
    return code;
}

cu::Code GpuBench::queueCheck(const Runner& runner, const ProductExtents& extents)
{
    const std::vector<FilledSet>& sets = runner.drawn;
    static_assert(sizeof(Timed) <= heldAt);
    int rows = static_cast<int>(extents.rows), columns = static_cast<int>(extents.columns);
    int inner = static_cast<int>(extents.depth);
    const bool byWarps = rows >= manyRows;
    const int blocks = std::min(byWarps ? (rows + 7) / 8 : rows, 8 * m_limits.sms);
    cu::Code code = beginChecks();
    const auto step = [&](cu::Code next) { code = code == 0 ? next : code; };
    for (std::size_t set = 0; set < sets.size(); ++set) {
        // Drawn now that the launch is over: nothing in this process knew them while it ran.
        std::uint64_t signs = unforeseeable(), seed = sets[set].seed;
        const auto& address = sets[set].buffers.address;
        cu::Pointer a = address[0], b = address[1], c = address[2], found = findings(set);
        step(run("tw_project", {static_cast<unsigned>(inner)}, threadsPerBlock,
            {&b, &columns, &signs, &m_projection, &seed, &found}));
        step(run(byWarps ? "tw_freivalds_by_warps" : "tw_freivalds", {static_cast<unsigned>(blocks)}, threadsPerBlock,
            {&a, &c, &rows, &columns, &inner, &signs, &m_projection, &seed, &found}));
        if (m_formats.out == GpuElement::Fp32)
            continue;
        std::uint64_t pick = unforeseeable();
        auto [perValue, perMagnitude] = boundOf(extents);
        step(run("tw_rows",
            {static_cast<unsigned>((columns + static_cast<int>(rowsThreads) - 1) / static_cast<int>(rowsThreads)),
                rowsBlocks},
            rowsThreads, {&a, &b, &c, &rows, &columns, &inner, &pick, &perValue, &perMagnitude, &found}));
    }
    step(m_driver.memcpyDtoHAsync(
        m_released + sampleAt, findings(), (sets.size() + runner.held.size()) * bytesOfFindings, m_stream));
    step(endChecks());
    return code;
}

void GpuBench::readCheck(BlockSample& sample, std::size_t held)
{
    addChecksAndAround();
    const auto launches = static_cast<std::size_t>(sample.launches);
    for (std::size_t i = 0; i < launches; ++i) {
        Timed timed;
        std::memcpy(static_cast<void*>(&timed),
            reinterpret_cast<const char*>(m_released + sampleAt) + i * bytesOfFindings, sizeof timed);
        if (const double worst = figureIn(timed.worst); i == 0 || isWorse(worst, sample.worst)) {
            sample.worst = worst;
            sample.worstRow = static_cast<std::uint32_t>(timed.worst);
        }
        if (i == 0 || isWorse(ratioOf(timed.differences, timed.norms), ratioOf(sample.differences, sample.norms))) {
            sample.differences = timed.differences;
            sample.norms = timed.norms;
        }
        if (const double rows = figureIn(timed.rows); i == 0 || isWorse(rows, sample.rowsExcess))
            sample.rowsExcess = rows;
        sample.notFinite += static_cast<std::int64_t>(timed.notFinite);
        sample.inputsChanged += static_cast<std::int64_t>(timed.inputs);
        sample.zonesChanged += static_cast<std::int64_t>(timed.zones);
    }
    sample.heldChanged = heldChanged(launches, held);
}

} // namespace tilewright
