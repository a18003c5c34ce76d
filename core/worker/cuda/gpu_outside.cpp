// SPDX-License-Identifier: Apache-2.0
// A launch whose outputs another process judges: here they are lent where they are (CUDA IPC), or brought home and sent
// out; there they are copied, and held against a reference in a worker that never loads a candidate and lends nothing.
#include "core/worker/cuda/gpu_bench.h"

#include <algorithm>
#include <utility>

namespace tilewright {

GpuResult<Produced> GpuBench::produce(const VerifyRequest& request, bool lend)
{
    const auto buffers = bind(request.extents, request.elements, request.plan.workspaceBytes, unforeseeable());
    if (!buffers)
        return std::unexpected(buffers.error());
    const auto time = launchOnce(request, *buffers, firstPoison);
    if (!time)
        return std::unexpected(time.error());
    Produced produced;
    cu::Code code = clearFindings();
    const auto step = [&](cu::Code next) { code = code == 0 ? next : code; };
    step(lookAround(request, *buffers, firstPoison, findings()));
    step(m_driver.streamSynchronize(m_stream));
    for (int i = m_formats.inputs; i < m_formats.inputs + m_formats.outputs; ++i) {
        const auto index = static_cast<std::size_t>(i);
        if (lend) {
            const auto lent = m_memory.lend(index, *buffers);
            if (!lent)
                return std::unexpected(GpuFailure{lent.error()});
            produced.lent.push_back(*lent);
            continue;
        }
        std::string& bytes = produced.outputs.emplace_back(buffers->bytes[index], '\0');
        step(m_driver.memcpyDtoH(bytes.data(), buffers->address[index], bytes.size()));
    }
    if (code != 0)
        return std::unexpected(failed(code, "the outputs cannot be read"));
    if (auto read = readFindings(&produced.around); !read)
        return std::unexpected(read.error());
    produced.around.ns = *time;
    return produced;
}

GpuResult<VerifyReply> GpuBench::judgeOutputs(const VerifyRequest& request, const Produced& produced)
{
    const auto buffers = bind(request.extents, request.elements, 0, unforeseeable());
    if (!buffers)
        return std::unexpected(buffers.error());
    const std::vector<Place> list = places(request.elements).first;
    const std::uint64_t truthBytes = 16 * elementsOf(request);
    if (!m_formats.product) {
        if (auto shown = revealFor(request.elements); !shown)
            return std::unexpected(shown.error());
    } else if (m_memory.hiddenBytes() < truthBytes) {
        return std::unexpected(GpuFailure{{"device/memory", "too little hidden memory was requested", "", nullptr}});
    } else if (auto shown = m_memory.reveal(truthBytes); !shown) {
        return std::unexpected(GpuFailure{shown.error(), true});
    }
    cu::Code code = clearFindings(std::max<std::size_t>(1, list.size()));
    const auto step = [&](cu::Code next) { code = code == 0 ? next : code; };
    step(fillInputs(*buffers, request.seed, request.kind));
    for (std::size_t i = 0; i < static_cast<std::size_t>(m_formats.outputs); ++i) {
        const std::size_t index = static_cast<std::size_t>(m_formats.inputs) + i;
        if (i < produced.lent.size()) {
            if (auto copied
                = m_memory.copyLent(produced.lent[i], buffers->address[index], buffers->bytes[index], m_stream);
                !copied)
                return std::unexpected(GpuFailure{copied.error(), copied.error().code != notLent});
            continue;
        }
        const std::vector<std::string>& outputs = produced.outputs;
        if (i >= outputs.size() || outputs[i].size() != buffers->bytes[index])
            return std::unexpected(
                GpuFailure{{"protocol/field", "the size of an output differs from the task", "", nullptr}});
        step(m_driver.memcpyHtoD(buffers->address[index], outputs[i].data(), outputs[i].size()));
    }
    step(m_driver.ctxSynchronize()); // the copies are no part of the stream that reads them
    if (m_formats.product) {
        step(judge(request, *buffers, buffers->address[2], firstPoison, m_memory.hidden(), findings()));
    } else {
        if (code == 0)
            if (auto computed = computeOperation(request.dims, request.elements, *buffers); !computed)
                return std::unexpected(computed.error());
        step(judgeOperation(request.extents, list, *buffers, firstPoison));
    }
    step(m_driver.streamSynchronize(m_stream));
    if (code != 0)
        return std::unexpected(failed(code, "the outputs cannot be judged"));
    std::vector<VerifyReply> found(std::max<std::size_t>(1, list.size()));
    if (auto read = readFindings(found.data(), found.size()); !read)
        return std::unexpected(read.error());
    VerifyReply reply = std::move(found.front());
    reply.more.assign(found.begin() + 1, found.end());
    return reply;
}

} // namespace tilewright
