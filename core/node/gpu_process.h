// SPDX-License-Identifier: GPL-3.0-or-later
// One GPU worker, spoken to in types: started with the task's kernels and memory, given programs by slot, asked to
// verify and to time. What it says is checked for form here and for truth by the gates. Measuring thread only.
#pragma once

#include "core/device/cuda.h"
#include "core/node/cuda_builder.h"
#include "core/node/worker_channel.h"

namespace tilewright {

struct GpuProcessSetup {
    std::filesystem::path worker;
    std::vector<std::filesystem::path> libraries;
    CudaFacts facts;
    std::string kernels, reference; ///< cubins
    GpuFormats formats;
    std::array<std::uint64_t, 4> bufferBytes{}; ///< A, B, C, workspace, largest shape
    std::uint64_t hiddenBytes = 0;
    StuckProcesses* stuck = nullptr; ///< takes the worker when it does not end
};

class GpuProcess
{
public:
    /// Errors: device/…, run/start.
    static Result<std::unique_ptr<GpuProcess>> start(const Sandbox& sandbox, const GpuProcessSetup& setup);

    Result<void> load(const std::string& slot, const Hash& hash, const CudaArtifact& artifact);
    Result<VerifyReply> verify(const VerifyRequest& request, std::chrono::milliseconds limit);
    /// Several launches on small shapes in one go. A worker's failure tells in its evidence's "item" which it was.
    Result<std::vector<VerifyReply>> verifySmall(
        const std::vector<VerifyRequest>& requests, std::chrono::milliseconds limit);
    /// Whether a kernel with a known result still gives it. Errors: run/canary.
    Result<void> canary(std::uint64_t seed, std::uint64_t digest);
    /// The wall time the worker took, by the node's clock, is in wallNs().
    Result<BlockReply> block(const BlockRequest& request, std::chrono::milliseconds limit);
    double wallNs() const { return m_wallNs; }
    double eventFloorNs() const { return m_eventFloorNs; }
    bool isAlive() { return m_channel->isAlive(); }
    pid_t pid() const { return m_channel->pid(); }

private:
    explicit GpuProcess(std::unique_ptr<WorkerChannel> channel)
        : m_channel(std::move(channel))
    {
    }

    std::unique_ptr<WorkerChannel> m_channel;
    std::map<std::string, Hash> m_loaded;
    double m_wallNs = 0, m_eventFloorNs = 0;
};

/// Device files that a GPU worker needs.
std::vector<std::filesystem::path> gpuDeviceFiles();

/// The GPUs of this machine, by a worker that lists them and ends. Empty, with the reason, where there is none.
struct GpuListing {
    std::vector<CudaFacts> gpus;
    Error whyNone; ///< code empty if there are some
};
GpuListing listGpus(const Sandbox& sandbox, const std::filesystem::path& worker);

} // namespace tilewright
