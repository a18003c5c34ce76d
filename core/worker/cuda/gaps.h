// SPDX-License-Identifier: Apache-2.0
// What is left of an allocation between the parts of it that are somebody's. Pure.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tilewright {

/// Addresses on the device, as the kernels see them.
struct MemoryRange {
    std::uint64_t address = 0, bytes = 0;

    bool operator==(const MemoryRange&) const = default;
};

/// In their order; the parts stand in the whole, side by side.
inline std::vector<MemoryRange> gapsBetween(const MemoryRange& whole, std::vector<MemoryRange> parts)
{
    std::ranges::sort(parts, {}, &MemoryRange::address);
    std::vector<MemoryRange> gaps;
    std::uint64_t at = whole.address;
    const auto upTo = [&](std::uint64_t end) {
        if (end > at)
            gaps.push_back({at, end - at});
    };
    for (const MemoryRange& part : parts) {
        upTo(part.address);
        at = std::max(at, part.address + part.bytes);
    }
    upTo(whole.address + whole.bytes);
    return gaps;
}

} // namespace tilewright
