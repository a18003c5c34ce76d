// SPDX-License-Identifier: Apache-2.0
// One program on the device: its cubin, loaded anew whenever asked, and a plan made ready to be launched in a few
// microseconds.
#pragma once

#include "core/worker/cuda/gpu_memory.h"

namespace tilewright {

class GpuProgram
{
public:
    GpuProgram(const cu::Driver& driver, std::string cubin)
        : m_driver(driver)
        , m_cubin(std::move(cubin))
    {
    }
    ~GpuProgram() { unload(); }
    GpuProgram(const GpuProgram&) = delete;
    GpuProgram& operator=(const GpuProgram&) = delete;

    /// A fresh module: whatever the last one wrote into its initialised data is gone.
    Result<void> reload();
    Result<cu::Function> function(const std::string& entry) const;

    /// Encodes tensor maps, opts in to shared memory, lays out the arguments, for the plan's launches on each of these
    /// sets of buffers. Valid until the next reload(). Errors: run/launch, run/tensor-map, run/no-kernel.
    Result<void> prepare(
        const GpuPlan& plan, const std::vector<std::int64_t>& dims, const std::vector<BoundBuffers>& sets);
    /// All launches in order on one stream, on the set of this number.
    cu::Code launch(cu::Stream stream, std::size_t set = 0);
    /// What is wrong with the launch that was refused, where it can be told: "'gemm' is launched with …".
    std::string whyRefused() const;

private:
    struct Prepared {
        std::string entry;
        cu::Function function = nullptr;
        cu::LaunchConfig config{};
        std::vector<cu::LaunchAttribute> attributes;
        std::vector<std::uint8_t> arguments;
    };
    void unload();
    Result<void> addSet(const GpuPlan& plan, const std::vector<std::int64_t>& dims, const BoundBuffers& buffers);
    Result<cu::TensorMap> encode(const GpuTensorMap& map, const BoundBuffers& buffers) const;

    const cu::Driver& m_driver;
    std::string m_cubin;
    cu::Module m_module = nullptr;
    std::vector<Prepared> m_prepared; ///< set by set
    std::size_t m_launches = 0; ///< on each of them
};

/// Bytes of an Args as the contract lays it out (core/source/candidate_header.h writes the same struct for compilers).
std::vector<std::uint8_t> argumentBytes(const std::array<cu::TensorMap, 8>& maps, const std::vector<std::int64_t>& dims,
    const BoundBuffers& buffers, const std::array<std::int32_t, 8>& user);

} // namespace tilewright
