// SPDX-License-Identifier: Apache-2.0
// A GPU worker's memory: inputs, outputs and workspace between red zones, a buffer to flush L2 with, and memory that is
// mapped only while no candidate code can run (references live there; a touch faults). A worker for proofs leaves it
// mapped: then what is to be gained by reading it can be shown.
#pragma once

#include "core/protocol/gpu_messages.h"
#include "core/worker/cuda/driver.h"
#include "core/worker/cuda/gaps.h"

#include <array>
#include <vector>

namespace tilewright {

constexpr std::size_t mostBuffers = 8; ///< inputs, outputs, workspace; a product's are A, B, C and its workspace
constexpr std::uint64_t vendorWorkspace = 32 << 20; ///< bytes that cublasLt may use
constexpr unsigned threadsPerBlock = 256; ///< of the kernels that fill, check and compare

/// Where a launch finds its buffers.
struct BoundBuffers {
    std::array<cu::Pointer, mostBuffers> address{};
    std::array<std::uint64_t, mostBuffers> bytes{};
    std::size_t count = 0; ///< of them
};

/// As the kernels see the red zones.
struct ZoneList {
    std::uint64_t address[2 * mostBuffers] = {};
    std::uint32_t bytes[2 * mostBuffers] = {};
};

/// As the kernels see what they do before and after a launch: the buffers, the first block behind each one's, the
/// zones, whose blocks come last.
struct BufferWork {
    std::uint64_t address[mostBuffers] = {}, bytes[mostBuffers] = {};
    std::uint32_t end[mostBuffers] = {}, inputs = 0, count = 0;
    ZoneList zones;
};
constexpr unsigned zoneBlocks = 4; ///< of each zone

/// As the kernels see memory that is nobody's.
constexpr std::size_t mostGaps = 128;
struct GapList {
    MemoryRange gap[mostGaps];
    std::uint32_t count = 0;
};

class GpuMemory
{
public:
    explicit GpuMemory(const cu::Driver& driver, cu::Device device)
        : m_driver(driver)
        , m_device(device)
    {
    }
    ~GpuMemory() { release(); }
    GpuMemory(const GpuMemory&) = delete;
    GpuMemory& operator=(const GpuMemory&) = delete;

    /// Room for buffers of up to these sizes, and hidden memory: as much as is often needed, which is then all that is
    /// mapped, and as much as is needed at all. What was there before is gone.
    /// Errors: device/memory, protocol/field where there are too many buffers.
    Result<void> allocate(
        const std::vector<std::uint64_t>& bytes, std::uint64_t oftenHidden, std::uint64_t hiddenBytes);
    /// For proofs: all hidden memory is mapped from now on, until the next allocate(), and hide() leaves it so.
    Result<void> leaveOpen();
    /// A launch's buffers, each somewhere in its allocation, as `place` has it: drawn anew for whatever is launched,
    /// checked or timed, addresses do not tell which of these it is. Errors: protocol/field when a buffer is larger
    /// than what was allocated.
    Result<BoundBuffers> bind(const std::vector<std::uint64_t>& bytes, std::uint64_t place) const;
    /// The buffers of several launches, each between zones of its own, in any order, with what is left of the
    /// allocation anywhere between them: where one of them stands is where it might stand alone. Errors: protocol/field
    /// when there is no room for all of them.
    Result<std::vector<BoundBuffers>> bindBeside(
        const std::vector<std::vector<std::uint64_t>>& each, std::uint64_t place) const;
    /// The buffers of launches that follow each other: of each its own, and one workspace, the last of the buffers, for
    /// all of them. Errors: as above.
    Result<std::vector<BoundBuffers>> bindRound(
        std::size_t sets, const std::vector<std::uint64_t>& bytes, std::uint64_t place) const;
    /// Fills all of it, zones and gaps too; nothing runs meanwhile.
    cu::Code poisonAll(std::uint8_t poison, cu::Stream stream) const;
    /// Memory in reach that is none of these launches', nor of the zones around their buffers.
    std::vector<MemoryRange> besides(const std::vector<BoundBuffers>& launches) const;
    /// For another process: the buffer's allocation, and where in it the buffer stands. Errors: outside/not-lent.
    Result<LentMemory> lend(std::size_t buffer, const BoundBuffers& bound) const;
    /// Copies from the buffer that a worker lent as lend() does, of which nothing is believed, to an address here.
    /// Errors: outside/not-lent.
    Result<void> copyLent(const LentMemory& lent, cu::Pointer to, std::uint64_t bytes, cu::Stream stream) const;
    static ZoneList zones(const BoundBuffers& bound);

    /// Base of the hidden memory, mapped by reveal().
    cu::Pointer hidden() const { return m_hidden; }
    std::uint64_t hiddenBytes() const { return m_hiddenBytes; }
    /// At least so much of it.
    Result<void> reveal(std::uint64_t bytes);
    /// Only while nothing runs.
    Result<void> hide();

private:
    /// Memory of its own behind a part of the hidden addresses.
    struct Piece {
        cu::MemoryHandle handle = 0;
        std::uint64_t offset = 0, bytes = 0;
        bool revealed = false;
    };
    void release();
    Result<void> unmap();
    Result<void> addPiece(std::uint64_t bytes);

    const cu::Driver& m_driver;
    cu::Device m_device;
    std::array<cu::Pointer, mostBuffers> m_base{};
    std::array<std::uint64_t, mostBuffers> m_capacity{};
    cu::Pointer m_hidden = 0;
    std::vector<Piece> m_pieces;
    std::uint64_t m_hiddenBytes = 0;
    bool m_isOpen = false; ///< for proofs
};

} // namespace tilewright
