// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/worker/cuda/gpu_memory.h"

#include "core/protocol/gpu_trouble.h"

#include <algorithm>

namespace tilewright {
namespace {

constexpr std::uint64_t fewestLent = 2 << 20; ///< the driver puts smaller ones together

Error outOfMemory(const cu::Driver& driver, cu::Code code, std::uint64_t bytes)
{
    Error error = driver.error(code, "no " + std::to_string(bytes >> 20) + " MiB of GPU memory could be had");
    error.hint = gpuRemedy(error.code);
    return error;
}

} // namespace

Result<void> GpuMemory::allocate(
    const std::vector<std::uint64_t>& bytes, std::uint64_t oftenHidden, std::uint64_t hiddenBytes)
{
    release();
    if (bytes.size() > mostBuffers)
        return fail("protocol/field", "there are more buffers than a program can have");
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const std::uint64_t whole = allocationOf(bytes[i]);
        if (const cu::Code code = m_driver.memAlloc(&m_base[i], whole); code != 0)
            return std::unexpected(outOfMemory(m_driver, code, whole));
        m_capacity[i] = bytes[i];
    }
    for (const std::uint64_t upTo : {oftenHidden, hiddenBytes})
        if (upTo > m_hiddenBytes)
            if (auto added = addPiece(upTo - m_hiddenBytes); !added)
                return added;
    if (m_hiddenBytes > 0)
        if (const cu::Code code = m_driver.memAddressReserve(&m_hidden, m_hiddenBytes, 0, 0, 0); code != 0)
            return std::unexpected(m_driver.error(code, "no addresses for hidden memory"));
    return {};
}

Result<void> GpuMemory::addPiece(std::uint64_t bytes)
{
    cu::AllocationProperties properties;
    properties.location.id = m_device;
    std::size_t granularity = 0;
    if (const cu::Code code = m_driver.memGetAllocationGranularity(&granularity, &properties, 0); code != 0)
        return std::unexpected(m_driver.error(code, "hidden memory cannot be had"));
    Piece piece;
    piece.offset = m_hiddenBytes;
    piece.bytes = (bytes + granularity - 1) / granularity * granularity;
    if (const cu::Code code = m_driver.memCreate(&piece.handle, piece.bytes, &properties, 0); code != 0)
        return std::unexpected(outOfMemory(m_driver, code, piece.bytes));
    m_hiddenBytes += piece.bytes;
    m_pieces.push_back(piece);
    return {};
}

Result<BoundBuffers> GpuMemory::bind(const std::vector<std::uint64_t>& bytes) const
{
    BoundBuffers bound;
    bound.count = bytes.size();
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (i >= mostBuffers || bytes[i] > m_capacity[i] || m_base[i] == 0)
            return fail("protocol/field", "a buffer is larger than what the worker was told to expect");
        bound.address[i] = m_base[i] + zoneBytes;
        bound.bytes[i] = bytes[i];
    }
    return bound;
}

Result<std::vector<BoundBuffers>> GpuMemory::bindBeside(const std::vector<std::vector<std::uint64_t>>& each) const
{
    std::vector<BoundBuffers> all;
    std::array<std::uint64_t, mostBuffers> used{};
    for (const std::vector<std::uint64_t>& bytes : each) {
        auto bound = bind(bytes);
        if (!bound)
            return std::unexpected(bound.error());
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            bound->address[i] += used[i];
            used[i] += roomOf(bytes[i]);
            if (used[i] > allocationOf(m_capacity[i]))
                return fail("protocol/field", "there is no room for so many launches side by side");
        }
        all.push_back(*bound);
    }
    return all;
}

Result<LentMemory> GpuMemory::lend(std::size_t buffer) const
{
    cu::IpcHandle handle{};
    if (m_capacity[buffer] < fewestLent)
        return fail(notLent, "a small buffer shares its allocation with others");
    if (const cu::Code code = m_driver.ipcGetMemHandle(&handle, m_base[buffer]); code != 0)
        return fail(notLent, m_driver.error(code, "a buffer cannot be lent").text);
    LentMemory lent{};
    std::ranges::copy(handle.bytes, lent.begin());
    return lent;
}

Result<void> GpuMemory::copyLent(const LentMemory& lent, cu::Pointer to, std::uint64_t bytes, cu::Stream stream) const
{
    cu::IpcHandle handle{};
    std::ranges::copy(lent, handle.bytes);
    cu::Pointer from = 0, base = 0;
    std::size_t size = 0;
    cu::Code code = m_driver.ipcOpenMemHandle(&from, handle, cu::ipcLazyPeerAccess);
    if (code != 0)
        return fail(notLent, m_driver.error(code, "a buffer cannot be borrowed").text);
    code = m_driver.memGetAddressRange(&base, &size, from);
    const bool fits = code == 0 && base == from && size >= zoneBytes + bytes;
    if (fits)
        code = m_driver.memcpyDtoDAsync(to, from + zoneBytes, bytes, stream);
    if (fits && code == 0)
        code = m_driver.streamSynchronize(stream);
    m_driver.ipcCloseMemHandle(from);
    if (!fits)
        return fail(notLent, "what was lent is no buffer of this size");
    if (code != 0)
        return std::unexpected(m_driver.error(code, "what was lent cannot be read"));
    return {};
}

ZoneList GpuMemory::zones(const BoundBuffers& bound)
{
    ZoneList zones;
    for (std::size_t i = 0; i < bound.count; ++i) {
        zones.address[2 * i] = bound.address[i] - zoneBytes;
        zones.address[2 * i + 1] = bound.address[i] + bound.bytes[i];
        zones.bytes[2 * i] = zones.bytes[2 * i + 1] = static_cast<std::uint32_t>(zoneBytes);
    }
    return zones;
}

Result<void> GpuMemory::reveal(std::uint64_t bytes)
{
    for (Piece& piece : m_pieces) {
        if (piece.revealed || piece.offset >= bytes)
            continue;
        if (const cu::Code code = m_driver.memMap(m_hidden + piece.offset, piece.bytes, 0, piece.handle, 0); code != 0)
            return std::unexpected(m_driver.error(code, "hidden memory cannot be mapped"));
        piece.revealed = true;
        cu::AccessDescription access;
        access.location.id = m_device;
        if (const cu::Code code = m_driver.memSetAccess(m_hidden + piece.offset, piece.bytes, &access, 1); code != 0)
            return std::unexpected(m_driver.error(code, "hidden memory cannot be opened"));
    }
    return {};
}

Result<void> GpuMemory::hide()
{
    for (Piece& piece : m_pieces) {
        if (!piece.revealed)
            continue;
        if (const cu::Code code = m_driver.memUnmap(m_hidden + piece.offset, piece.bytes); code != 0)
            return std::unexpected(m_driver.error(code, "hidden memory cannot be unmapped"));
        piece.revealed = false;
    }
    return {};
}

void GpuMemory::release()
{
    (void)hide();
    for (cu::Pointer& base : m_base)
        if (base != 0)
            m_driver.memFree(std::exchange(base, 0));
    if (m_hidden != 0)
        m_driver.memAddressFree(std::exchange(m_hidden, 0), m_hiddenBytes);
    for (const Piece& piece : m_pieces)
        m_driver.memRelease(piece.handle);
    m_pieces.clear();
    m_hiddenBytes = 0;
    m_capacity = {};
}

} // namespace tilewright
