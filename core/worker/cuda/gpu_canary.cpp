// SPDX-License-Identifier: Apache-2.0
// The kernel with a known result, between two programs.
#include "core/protocol/gpu_canary.h"
#include "core/worker/cuda/gpu_bench.h"

namespace tilewright {

GpuResult<std::uint64_t> GpuBench::canary(std::uint64_t seed)
{
    constexpr const char* name = "tw_canary";
    if (!m_kernels)
        return std::unexpected(GpuFailure{{"protocol/field", "the kernels were not sent", "", nullptr}});
    const auto function = m_kernels->function(name);
    if (!function)
        return std::unexpected(GpuFailure{function.error(), false});
    m_functions[name] = *function;
    const Spending spending(m_spent, "canary");
    std::uint64_t digest = 0;
    cu::Code code = m_driver.memsetD8Async(m_results, 0, sizeof digest, m_stream);
    if (code == 0)
        code = run(name, {static_cast<unsigned>(m_limits.sms)}, canaryThreads, {&seed, &m_results});
    if (code == 0)
        code = m_driver.streamSynchronize(m_stream);
    if (code == 0)
        code = m_driver.memcpyDtoH(&digest, m_results, sizeof digest);
    if (code != 0)
        return std::unexpected(failed(code, "the kernel with a known result failed"));
    return digest;
}

} // namespace tilewright
