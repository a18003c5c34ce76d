// SPDX-License-Identifier: Apache-2.0
// One program launched again and again with its inputs in the cache, while the node reads the GPU's energy counter.
#include "core/worker/cuda/gpu_runner.h"

#include <algorithm>
#include <utility>

namespace tilewright {
namespace {

constexpr double batchNs = 2e7; ///< launches are queued by so much time, and waited for
constexpr std::int64_t mostInBatch = 512; ///< more would wait in the driver's queue

} // namespace

GpuResult<HotReply> GpuBench::hot(const HotRequest& request)
{
    const BlockRequest& launch = request.launch;
    if (launch.order.size() != 1 || launch.seeds.size() != 1 || launch.ring != 1 || launch.held != 0 || launch.graph
        || request.milliseconds < 1 || request.milliseconds > mostHotMs)
        return std::unexpected(
            GpuFailure{{"protocol/field", "a hot loop has one program and one launch", "", nullptr}});
    if (std::exchange(m_head, nullptr))
        release();
    if (auto hidden = m_memory.hide(); !hidden)
        return std::unexpected(GpuFailure{hidden.error(), true});
    BlockReply chosen;
    auto runners = enter(launch, chosen);
    if (!runners)
        return std::unexpected(runners.error());
    Runner& runner = runners->begin()->second;
    if (auto filled = queueInputs(launch, 0, runner); !filled)
        return std::unexpected(filled.error());
    if (auto ended = awaitLaunch(queueLaunch([&] { return launchAll(runner); }), runner.slot); !ended)
        return std::unexpected(ended.error());
    const auto first = launchTime(runner.slot);
    if (!first)
        return std::unexpected(first.error());
    const auto batch
        = std::clamp(static_cast<std::int64_t>(batchNs / std::max(*first, 1.0)), std::int64_t(1), mostInBatch);
    HotReply reply;
    const auto begin = std::chrono::steady_clock::now(), end = begin + std::chrono::milliseconds(request.milliseconds);
    auto now = begin;
    for (; now < end; now = std::chrono::steady_clock::now()) {
        cu::Code code = 0;
        for (std::int64_t i = 0; i < batch && code == 0; ++i)
            code = launchRound(runner, m_stream, false);
        if (code == 0)
            code = m_driver.streamSynchronize(m_stream);
        if (code != 0)
            return std::unexpected(failedLaunch(code, "the hot loop failed", runner.slot));
        reply.launches += batch;
    }
    reply.ns = static_cast<double>((now - begin).count());
    m_spent.clear();
    return reply;
}

} // namespace tilewright
