// SPDX-License-Identifier: GPL-3.0-or-later
// The device with Tilewright's own kernels on it: inputs, poison, scrubbing, flushing, checks, and the two things done
// with candidates: one verified launch, and cold timed samples. One stream. Everything that a candidate's launch could
// learn or leave is set anew before each launch of anything.
#pragma once

#include "core/worker/cuda/gpu_program.h"
#include "core/worker/cuda/vendor_lt.h"

#include <chrono>
#include <functional>

namespace tilewright {

/// Sizes of the device that the bench needs.
struct CudaLimits {
    int sms = 1;
    std::uint64_t l2Bytes = 0;
    unsigned sharedPerBlock = 0; ///< with opt-in
};

/// Adds the time until its end to one entry of a ledger.
class Spending
{
public:
    Spending(std::map<std::string, double>& ledger, const char* what)
        : m_entry(ledger[what])
    {
    }
    ~Spending() { m_entry += static_cast<double>((std::chrono::steady_clock::now() - m_start).count()); }
    Spending(const Spending&) = delete;
    Spending& operator=(const Spending&) = delete;

private:
    double& m_entry;
    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

/// What outputs hold before the first launch of a check, and before the second.
constexpr std::uint8_t firstPoison = 0xff, secondPoison = 0x7b;

inline std::uint64_t elementsOf(const VerifyRequest& request)
{
    return static_cast<std::uint64_t>(request.extents.rows * request.extents.columns);
}

/// A worker's failure, and whether its context is gone with it.
struct GpuFailure {
    Error error;
    bool lost = false;
};
template <typename T> using GpuResult = std::expected<T, GpuFailure>;

class GpuBench
{
public:
    GpuBench(const cu::Driver& driver, cu::Device device, const CudaLimits& limits);

    /// Own kernels and the task's reference.
    GpuResult<void> loadKernels(const std::string& kernels, const std::string& reference, const GpuFormats& formats);
    GpuResult<void> load(const std::string& slot, const std::string& cubin, bool reloadAlways);
    GpuResult<void> allocate(const std::array<std::uint64_t, bufferCount>& bytes, std::uint64_t hiddenBytes);
    GpuResult<VerifyReply> verify(const VerifyRequest& request);
    /// The same for several small shapes: their launches one after another, then their truths. A failure's evidence
    /// tells in "item" which of them it was.
    GpuResult<std::vector<VerifyReply>> verifySmall(const std::vector<VerifyRequest>& requests);
    GpuResult<BlockReply> block(const BlockRequest& request);
    /// What the kernel with a known result gives for this seed, on all multiprocessors.
    GpuResult<std::uint64_t> canary(std::uint64_t seed);
    /// Median of 100 pairs of events with nothing in between, in ns.
    GpuResult<double> eventFloor();

private:
    struct Loaded {
        std::unique_ptr<GpuProgram> program;
        bool reloadAlways = false;
    };
    struct Runner; // one contestant of a block
    /// What a launch of anything is preceded by.
    struct Preparation {
        const BoundBuffers& buffers;
        const ProductExtents& extents;
        std::uint64_t seed = 0;
        FillKind kind = FillKind::Normal;
        std::uint8_t poison = 0xff;
        bool cold = false; ///< flush L2, and hold the stream meanwhile
    };
    /// |C − R| may be perValue·|R| + perMagnitude·(|A||B|); EVALUATION §3. Sums are of fp32.
    struct Bound {
        double perValue = 0, perMagnitude = 0;
    };
    Bound boundOf(const ProductExtents& extents) const;
    GpuResult<BoundBuffers> bind(const ProductExtents& extents, std::uint64_t workspaceBytes) const;
    cu::Code fillInputs(const BoundBuffers& buffers, std::uint64_t seed, FillKind fill);
    cu::Code prepare(const Preparation& preparation);
    GpuResult<double> launchBetweenEvents(const std::function<cu::Code()>& launch, const std::string& slot);
    GpuResult<BlockSample> sample(const BlockRequest& request, std::size_t index, Runner& runner);
    GpuResult<BlockSample> checkSample(
        const BlockRequest& request, std::uint64_t seed, std::uint8_t poison, const Runner& runner);
    GpuResult<double> clockMhz();
    GpuFailure failed(cu::Code code, const std::string& what) const;
    /// Blocks for a kernel that goes through so many elements: a few a multiprocessor, and no more than have work.
    unsigned blocksFor(std::uint64_t elements, unsigned aMultiprocessor = 4) const;
    cu::Code run(const char* kernel, std::array<unsigned, 2> grid, unsigned block, std::vector<void*> arguments,
        unsigned sharedBytes = 0);
    /// One launch of the program on inputs of its own, in ns, while references are hidden.
    GpuResult<double> launchOnce(const VerifyRequest& request, const BoundBuffers& buffers, std::uint8_t poison);
    /// Adds what the launch left of inputs and red zones.
    cu::Code lookAround(const VerifyRequest& request, const BoundBuffers& buffers, std::uint8_t poison);
    /// The truth by the task's plain reference, or by tiles once both agreed in this process.
    cu::Code computeTruth(
        const VerifyRequest& request, const BoundBuffers& buffers, cu::Pointer truth, cu::Pointer magnitude);
    cu::Code computeByTiles(
        const VerifyRequest& request, const BoundBuffers& buffers, cu::Pointer truth, cu::Pointer magnitude);
    GpuResult<bool> tilesAgree(const VerifyRequest& request, const BoundBuffers& buffers);
    /// Holds C against the truth, in memory that has been revealed.
    cu::Code judge(const VerifyRequest& request, const BoundBuffers& buffers, std::uint8_t poison);
    cu::Code clearFindings();
    /// The GPU's own time between two points of the stream: the first, the second, and, once both have passed, the sum.
    cu::Code beginChecks() { return m_driver.eventRecord(m_checkBegin, m_stream); }
    cu::Code endChecks() { return m_driver.eventRecord(m_checkEnd, m_stream); }
    void addChecks();
    /// What the steps since clearFindings() found, added to the reply.
    GpuResult<void> readFindings(VerifyReply& reply);

    const cu::Driver& m_driver;
    CudaLimits m_limits;
    GpuFormats m_formats;
    GpuMemory m_memory;
    std::unique_ptr<GpuProgram> m_kernels, m_reference;
    std::map<std::string, cu::Function> m_functions;
    std::map<std::string, Loaded> m_programs;
    std::unique_ptr<VendorLt> m_vendor;
    cu::Stream m_stream = nullptr;
    cu::Event m_begin = nullptr, m_end = nullptr, m_checkBegin = nullptr, m_checkEnd = nullptr;
    cu::Pointer m_flush = 0, m_results = 0, m_projection = 0;
    std::uint64_t m_projectionCount = 0;
    std::uint32_t* m_released = nullptr; ///< host memory that holds the stream
    cu::Pointer m_releasedAddress = 0;
    std::uint32_t m_flushes = 0;
    int m_agreed = 0; ///< launches whose truth was the same by tiles and by the plain reference
    bool m_disagreed = false;
    std::map<std::string, double> m_spent; ///< of the request in hand, in ns; "…_gpu": by the GPU's own events
};

} // namespace tilewright
