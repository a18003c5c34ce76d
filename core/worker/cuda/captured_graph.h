// SPDX-License-Identifier: Apache-2.0
// Launches captured once as a CUDA graph, which then go to the device as one.
#pragma once

#include "core/worker/cuda/driver.h"

#include <functional>

namespace tilewright {

class CapturedGraph
{
public:
    explicit CapturedGraph(const cu::Driver& driver)
        : m_driver(driver)
    {
    }
    ~CapturedGraph();
    CapturedGraph(const CapturedGraph&) = delete;
    CapturedGraph& operator=(const CapturedGraph&) = delete;

    /// What `launch` queues on this stream, on which nothing else is queued meanwhile, in place of what was captured
    /// before. Errors: run/graph.
    Result<void> capture(cu::Stream stream, const std::function<cu::Code()>& launch);
    cu::Code launch(cu::Stream stream) { return m_driver.graphLaunch(m_executable, stream); }

private:
    const cu::Driver& m_driver;
    cu::ExecutableGraph m_executable = nullptr;
};

} // namespace tilewright
