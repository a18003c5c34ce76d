// SPDX-License-Identifier: Apache-2.0
#include "core/worker/cuda/captured_graph.h"

#include <utility>

namespace tilewright {
namespace {

constexpr int relaxed = 2; ///< other calls of this thread are nobody's mistake meanwhile

} // namespace

CapturedGraph::~CapturedGraph()
{
    if (m_executable)
        m_driver.graphExecDestroy(m_executable);
}

Result<void> CapturedGraph::capture(cu::Stream stream, const std::function<cu::Code()>& launch)
{
    if (m_executable)
        m_driver.graphExecDestroy(std::exchange(m_executable, nullptr));
    cu::Graph graph = nullptr;
    cu::Code code = m_driver.streamBeginCapture(stream, relaxed);
    if (code == 0) {
        code = launch();
        const cu::Code ended = m_driver.streamEndCapture(stream, &graph);
        code = code == 0 ? ended : code;
    }
    if (code == 0)
        code = m_driver.graphInstantiate(&m_executable, graph, 0);
    if (code == 0)
        code = m_driver.graphUpload(m_executable, stream); // else the first launch would, in its time
    if (graph)
        m_driver.graphDestroy(graph);
    if (code == 0)
        return {};
    Error error = m_driver.error(code, "the launches cannot be captured as a CUDA graph");
    if (!cu::Driver::isSticky(code))
        error.code = "run/graph";
    return std::unexpected(std::move(error));
}

} // namespace tilewright
