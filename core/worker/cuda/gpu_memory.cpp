// SPDX-License-Identifier: Apache-2.0
#include "core/worker/cuda/gpu_memory.h"

#include "core/protocol/gpu_trouble.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <utility>

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
        return fail("protocol/field", "more buffers than a program can have");
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const std::uint64_t whole = allocationOf(bytes[i]) + bufferRoam;
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

Result<BoundBuffers> GpuMemory::bind(const std::vector<std::uint64_t>& bytes, std::uint64_t place) const
{
    const auto all = bindBeside({bytes}, place);
    if (!all)
        return std::unexpected(all.error());
    return all->front();
}

Result<std::vector<BoundBuffers>> GpuMemory::bindBeside(
    const std::vector<std::vector<std::uint64_t>>& each, std::uint64_t place) const
{
    std::vector<BoundBuffers> all(each.size());
    for (std::size_t n = 0; n < each.size(); ++n) {
        all[n].count = each[n].size();
        for (std::size_t i = 0; i < each[n].size(); ++i) {
            if (i >= mostBuffers || each[n][i] > m_capacity[i] || m_base[i] == 0)
                return fail("protocol/field", "a buffer is larger than announced to the worker");
            all[n].bytes[i] = each[n][i];
        }
    }
    std::mt19937_64 chance(place);
    std::vector<std::size_t> order(each.size());
    std::vector<std::uint64_t> gaps(each.size()); // up to each of them in their order, all together
    for (std::size_t i = 0; i < mostBuffers; ++i) {
        std::uint64_t used = 0;
        for (const BoundBuffers& bound : all)
            used += i < bound.count ? roomOf(bound.bytes[i]) : 0;
        if (used == 0)
            continue;
        if (used > allocationOf(m_capacity[i]))
            return fail("protocol/field", "there is not enough memory for so many launches side by side");
        std::uniform_int_distribution<std::uint64_t> gap(
            0, (allocationOf(m_capacity[i]) + bufferRoam - used) / bufferAlignment);
        std::iota(order.begin(), order.end(), std::size_t(0));
        std::ranges::shuffle(order, chance);
        std::ranges::generate(gaps, [&] { return gap(chance) * bufferAlignment; });
        std::ranges::sort(gaps);
        std::uint64_t at = m_base[i];
        for (std::size_t k = 0; k < order.size(); ++k)
            if (BoundBuffers& bound = all[order[k]]; i < bound.count) {
                bound.address[i] = at + gaps[k] + zoneBytes;
                at += roomOf(bound.bytes[i]);
            }
    }
    return all;
}

Result<std::vector<BoundBuffers>> GpuMemory::bindRound(
    std::size_t sets, const std::vector<std::uint64_t>& bytes, std::uint64_t place) const
{
    const auto one = bind(bytes, place);
    if (!one)
        return std::unexpected(one.error());
    if (sets == 1)
        return std::vector{*one};
    auto all = bindBeside(std::vector(sets, std::vector(bytes.begin(), bytes.end() - 1)), place);
    if (!all)
        return all;
    for (BoundBuffers& set : *all) {
        set.address[set.count] = one->address[set.count];
        set.bytes[set.count] = one->bytes[set.count];
        ++set.count;
    }
    return all;
}

cu::Code GpuMemory::poisonAll(std::uint8_t poison, cu::Stream stream) const
{
    cu::Code code = 0;
    for (std::size_t i = 0; i < mostBuffers; ++i)
        if (m_base[i] != 0 && code == 0)
            code = m_driver.memsetD8Async(m_base[i], poison, allocationOf(m_capacity[i]) + bufferRoam, stream);
    return code;
}

std::vector<MemoryRange> GpuMemory::besides(const std::vector<BoundBuffers>& launches) const
{
    std::vector<MemoryRange> left;
    for (std::size_t i = 0; i < mostBuffers; ++i) {
        if (m_base[i] == 0)
            continue;
        std::vector<MemoryRange> parts;
        for (const BoundBuffers& bound : launches)
            if (i < bound.count)
                parts.push_back({bound.address[i] - zoneBytes, bound.bytes[i] + 2 * zoneBytes});
        const auto gaps = gapsBetween({m_base[i], allocationOf(m_capacity[i]) + bufferRoam}, std::move(parts));
        left.insert(left.end(), gaps.begin(), gaps.end());
    }
    return left;
}

Result<LentMemory> GpuMemory::lend(std::size_t buffer, const BoundBuffers& bound) const
{
    cu::IpcHandle handle{};
    if (m_capacity[buffer] < fewestLent)
        return fail(notLent, "a small buffer shares its allocation with others");
    if (const cu::Code code = m_driver.ipcGetMemHandle(&handle, m_base[buffer]); code != 0)
        return fail(notLent, m_driver.error(code, "a buffer cannot be shared").text);
    LentMemory lent{};
    std::ranges::copy(handle.bytes, lent.begin());
    const std::uint64_t offset = bound.address[buffer] - m_base[buffer];
    std::memcpy(lent.data() + sizeof handle.bytes, &offset, sizeof offset);
    return lent;
}

Result<void> GpuMemory::copyLent(const LentMemory& lent, cu::Pointer to, std::uint64_t bytes, cu::Stream stream) const
{
    cu::IpcHandle handle{};
    std::copy_n(lent.begin(), sizeof handle.bytes, handle.bytes);
    std::uint64_t offset = 0;
    std::memcpy(&offset, lent.data() + sizeof handle.bytes, sizeof offset);
    cu::Pointer from = 0, base = 0;
    std::size_t size = 0;
    cu::Code code = m_driver.ipcOpenMemHandle(&from, handle, cu::ipcLazyPeerAccess);
    if (code != 0)
        return fail(notLent, m_driver.error(code, "a shared buffer cannot be opened").text);
    code = m_driver.memGetAddressRange(&base, &size, from);
    const bool fits = code == 0 && base == from && offset <= size && bytes <= size - offset;
    if (fits)
        code = m_driver.memcpyDtoDAsync(to, from + offset, bytes, stream);
    if (fits && code == 0)
        code = m_driver.streamSynchronize(stream);
    m_driver.ipcCloseMemHandle(from);
    if (!fits)
        return fail(notLent, "a shared buffer has another size");
    if (code != 0)
        return std::unexpected(m_driver.error(code, "a shared buffer cannot be read"));
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

Result<void> GpuMemory::hide() { return m_isOpen ? Result<void>() : unmap(); }

Result<void> GpuMemory::leaveOpen()
{
    m_isOpen = true;
    return reveal(m_hiddenBytes);
}

Result<void> GpuMemory::unmap()
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
    (void)unmap();
    m_isOpen = false;
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
