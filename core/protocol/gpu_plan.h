// SPDX-License-Identifier: Apache-2.0
// A validated plan on its way from a build to a GPU worker: what to launch, with which tensor maps.
#pragma once

#include "core/base/result.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace tilewright {

struct GpuLaunch {
    std::string entry; ///< symbol in the cubin
    std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1}, cluster{1, 1, 1};
    std::uint32_t dynamicShared = 0;
    bool cooperative = false, programmatic = false;
    std::array<std::int32_t, 8> user{};

    bool operator==(const GpuLaunch&) const = default;
};

/// Enumerations as in kernels/include/tilewright/plan.h.
struct GpuTensorMap {
    int buffer = 0; ///< tensor of the task, or one past the last for the workspace
    int dtype = 0, rank = 1, swizzle = 0, l2 = 0;
    bool nanOutside = false;
    std::uint64_t offset = 0;
    std::array<std::uint64_t, 5> dim{};
    std::array<std::uint64_t, 4> stride{};
    std::array<std::uint32_t, 5> box{}, elementStride{};

    bool operator==(const GpuTensorMap&) const = default;
};

struct GpuPlan {
    std::vector<GpuTensorMap> maps;
    std::vector<GpuLaunch> launches;
    std::uint64_t workspaceBytes = 0;

    bool operator==(const GpuPlan&) const = default;
    nlohmann::json json() const;
    /// Throws nlohmann::json::exception.
    static GpuPlan fromJson(const nlohmann::json& json);
};

} // namespace tilewright
