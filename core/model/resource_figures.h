// SPDX-License-Identifier: GPL-3.0-or-later
// What a program needs of its device, as its build told it. A GPU program may have several kernels: the figures are
// those of the one that leaves the least room beside it (lowest occupancy, then most registers). Pure.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace tilewright {

struct ResourceFigures {
    std::optional<std::int64_t> sourceBytes; ///< without comments
    std::optional<std::int64_t> machineCodeBytes, constantBytes;
    std::optional<std::int64_t> registers; ///< of a thread
    std::optional<std::int64_t> sharedBytes; ///< of a block, static and dynamic
    std::optional<std::int64_t> spillBytes; ///< of a thread, over all kernels
    std::optional<double> occupancy; ///< resident warps of those that a multiprocessor can hold, 0 to 1
    std::string kernel; ///< whose these are; empty where there is one program without kernels
    int kernels = 0;
    int threads = 0, blocks = 0; ///< of a block; resident on a multiprocessor
    std::string limitedBy; ///< registers, shared, threads, blocks

    bool operator==(const ResourceFigures&) const = default;
};

/// What the device has of them; nothing where its record does not tell.
struct ResourceLimits {
    std::optional<std::int64_t> sharedBytes; ///< of a block
    std::optional<std::int64_t> registers; ///< of a multiprocessor, and so of a block

    bool operator==(const ResourceLimits&) const = default;
};

/// From deviceFactsOf().
ResourceLimits resourceLimits(const nlohmann::json& deviceFacts);

/// From EvaluationResult::resources or a build's; nothing where the build told nothing.
ResourceFigures resourceFigures(const nlohmann::json& resources);

} // namespace tilewright
