// SPDX-License-Identifier: Apache-2.0
// The vendor's product: cublasLt, loaded at run time, with the fastest of its first eight heuristics for each shape.
// fp32 without TF32; bf16 with sums of fp32. Declared by hand (ABI-stable since CUDA 11).
#pragma once

#include "core/worker/cuda/gpu_memory.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace tilewright {

class VendorLt
{
public:
    /// Errors: vendor/missing.
    static Result<std::unique_ptr<VendorLt>> load(const GpuFormats& formats);

    /// Makes ready the proposal of the heuristics that has this number; a negative one times them all on these buffers,
    /// each launch behind `cool`, which empties the caches, and keeps the fastest. At once if these extents were made
    /// ready before. Returns its number. Errors: vendor/failed.
    Result<int> prepare(const cu::Driver& driver, const ProductExtents& extents, const BoundBuffers& buffers,
        std::uint64_t workspaceBytes, int choice, const std::function<cu::Code()>& cool, cu::Stream stream);
    /// As cu::Code: 0, or −1 when the library refuses.
    cu::Code launch(const BoundBuffers& buffers, cu::Stream stream);
    int version() const { return m_version; }

private:
    using Handle = void*;
    struct Algorithm {
        std::uint64_t data[8];
    };
    struct Heuristic {
        Algorithm algorithm;
        std::size_t workspaceBytes;
        int state;
        float waves;
        int reserved[4];
    };
    static_assert(sizeof(Heuristic) == 96);
    struct Problem {
        Handle operation = nullptr, a = nullptr, b = nullptr, c = nullptr;
        Algorithm algorithm{};
        std::uint64_t workspaceBytes = 0;
        int number = -1; ///< among the heuristics' proposals of all ways to compute
    };
    using Extents = std::array<std::int64_t, 3>;
    explicit VendorLt(const GpuFormats& formats)
        : m_formats(formats)
    {
    }
    Result<Problem> describe(const ProductExtents& extents, int compute) const;
    cu::Code run(const Problem& problem, const BoundBuffers& buffers, cu::Stream stream) const;
    /// What the heuristics propose that fits into the workspace, the likeliest first, numbered from `first` on.
    std::vector<Problem> proposals(const Problem& problem, std::uint64_t workspaceBytes, int first) const;
    /// Of all ways to compute the product in the task's numbers.
    Result<std::vector<Problem>> proposals(const ProductExtents& extents, std::uint64_t workspaceBytes) const;
    /// Median of some launches from cold, in ms; none where it does not run.
    std::optional<float> timed(const cu::Driver& driver, const Problem& problem, const BoundBuffers& buffers,
        const std::function<cu::Code()>& cool, cu::Stream stream) const;

    GpuFormats m_formats;
    int m_version = 0;
    Handle m_library = nullptr;
    std::map<Extents, Problem> m_problems;
    const Problem* m_current = nullptr;
    int (*m_create)(Handle*) = nullptr;
    std::size_t (*m_getVersion)() = nullptr;
    int (*m_operationCreate)(Handle*, int, int) = nullptr;
    int (*m_layoutCreate)(Handle*, int, std::uint64_t, std::uint64_t, std::int64_t) = nullptr;
    int (*m_preferenceCreate)(Handle*) = nullptr;
    int (*m_preferenceSet)(Handle, int, const void*, std::size_t) = nullptr;
    int (*m_preferenceDestroy)(Handle) = nullptr;
    int (*m_heuristics)(Handle, Handle, Handle, Handle, Handle, Handle, Handle, int, Heuristic*, int*) = nullptr;
    int (*m_matmul)(Handle, Handle, const void*, const void*, Handle, const void*, Handle, const void*, const void*,
        Handle, void*, Handle, const Algorithm*, void*, std::size_t, cu::Stream)
        = nullptr;
};

} // namespace tilewright
