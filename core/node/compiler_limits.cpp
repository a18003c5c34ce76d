// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/compiler_limits.h"

#include "core/node/machine_trouble.h"

#include <algorithm>
#include <cerrno>

namespace tilewright {

Result<std::size_t> memoryForACompiler()
{
    constexpr std::size_t least = std::size_t(256) << 20;
    const std::size_t free = availableMemory();
    const std::size_t memory = free == 0 ? mostCompilerMemory : std::min(mostCompilerMemory, free / 2);
    if (memory < least)
        return std::unexpected(noMemory("too little memory is free to compile a program", ENOMEM));
    return memory;
}

std::chrono::seconds processorTimeFor(double seconds) { return std::chrono::seconds(static_cast<long>(seconds) + 2); }

} // namespace tilewright
