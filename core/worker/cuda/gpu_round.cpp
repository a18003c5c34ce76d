// SPDX-License-Identifier: Apache-2.0
// The launches of one sample. Where there are several, they go round sets of buffers with nothing emptied in between,
// so what one of them could do for another is taken from it: which sets are launched on, and in which order, is drawn
// anew for each sample; some sets are filled and then left alone, and must be as they were filled, as must all memory
// that is no set's; the one workspace is wiped behind each launch; and each is timed by itself, so that the node sees
// whether all did the same work.
#include "core/worker/cuda/gpu_runner.h"

#include <cstring>
#include <utility>

namespace tilewright {
namespace {

/// Bits that nobody foresees, for the shuffle.
struct Unforeseeable {
    using result_type = std::uint64_t;
    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return ~result_type(0); }
    result_type operator()() const { return unforeseeable(); }
};

} // namespace

void GpuBench::Runner::draw(std::size_t launches, std::uint64_t sampleSeed)
{
    std::vector<std::size_t> order(sets.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    if (order.size() > 1)
        std::ranges::shuffle(order, Unforeseeable());
    drawn.clear();
    for (const std::size_t number : order)
        drawn.push_back({sets[number], seedOfSet(sampleSeed, number), number});
    held.assign(drawn.begin() + static_cast<std::ptrdiff_t>(launches), drawn.end());
    drawn.resize(launches);
    for (FilledSet& set : held)
        --set.buffers.count; // the workspace is that of the others
}

cu::Code GpuBench::readyRound(std::size_t launches)
{
    cu::Code code = 0;
    while (launches > 1 && m_round.size() < launches && code == 0) {
        std::array<cu::Event, 2>& pair = m_round.emplace_back();
        for (cu::Event& event : pair)
            code = code == 0 ? m_driver.eventCreate(&event, 0) : code;
    }
    return code;
}

cu::Code GpuBench::launchOn(const Runner& runner, const FilledSet& set, cu::Stream stream)
{
    return runner.program ? runner.program->launch(stream, set.number) : m_vendor->launch(set.buffers, stream);
}

cu::Code GpuBench::launchRound(const Runner& runner, cu::Stream stream, bool isCaptured)
{
    if (runner.drawn.size() == 1)
        return launchOn(runner, runner.drawn.front(), stream);
    cu::Code code = 0;
    const auto step = [&](cu::Code next) { code = code == 0 ? next : code; };
    const unsigned how = isCaptured ? cu::eventRecordExternal : 0;
    for (std::size_t i = 0; i < runner.drawn.size() && code == 0; ++i) {
        const auto& [buffers, seed, number] = runner.drawn[i];
        step(m_driver.eventRecordWithFlags(m_round[i][0], stream, how));
        step(launchOn(runner, runner.drawn[i], stream));
        step(m_driver.eventRecordWithFlags(m_round[i][1], stream, how));
        const std::size_t workspace = buffers.count - 1;
        if (code == 0 && buffers.bytes[workspace] > 0)
            step(m_driver.memsetD8Async(buffers.address[workspace], firstPoison, buffers.bytes[workspace], stream));
    }
    return code;
}

cu::Code GpuBench::launchAll(Runner& runner)
{
    return runner.graph ? runner.graph->launch(m_stream) : launchRound(runner, m_stream, false);
}

GpuResult<std::vector<double>> GpuBench::roundTimes(const Runner& runner)
{
    const auto whole = launchTime(runner.slot);
    if (!whole)
        return std::unexpected(whole.error());
    if (runner.drawn.size() == 1)
        return std::vector{*whole};
    std::vector<double> times;
    for (std::size_t i = 0; i < runner.drawn.size(); ++i) {
        float milliseconds = 0;
        if (const cu::Code read = m_driver.eventElapsedTime(&milliseconds, m_round[i][0], m_round[i][1]); read != 0)
            return std::unexpected(failedLaunch(read, "the events cannot be read", runner.slot));
        times.push_back(static_cast<double>(milliseconds) * 1e6);
    }
    return times;
}

cu::Code GpuBench::lookAtHeld(const Runner& runner, std::uint8_t poison, std::size_t firstFinding)
{
    if (runner.held.empty())
        return 0;
    cu::Pointer nobodys = findings(firstFinding) + heldAt;
    cu::Code code = lookAtNobodys(m_memory.besides(runner.sets), poison, nobodys);
    code = code == 0 ? lookAtNobodys({{m_flush, 2 * m_limits.l2Bytes}}, m_flushes, nobodys) : code;
    for (std::size_t i = 0; i < runner.held.size() && code == 0; ++i) {
        cu::Pointer changed = findings(firstFinding + i) + heldAt;
        code = workOn("tw_after", runner.held[i].buffers, Parts::All, runner.held[i].seed, FillKind::Normal, poison,
            {&changed, &changed});
    }
    return code;
}

std::int64_t GpuBench::heldChanged(std::size_t firstFinding, std::size_t held) const
{
    std::int64_t sum = 0;
    for (std::size_t i = firstFinding; i < firstFinding + held; ++i) {
        std::uint64_t changed = 0;
        std::memcpy(&changed, reinterpret_cast<const char*>(m_released + sampleAt) + i * bytesOfFindings + heldAt,
            sizeof changed);
        sum += static_cast<std::int64_t>(changed);
    }
    return sum;
}

} // namespace tilewright
