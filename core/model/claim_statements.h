// SPDX-License-Identifier: GPL-3.0-or-later
// A claim taken apart into what it says of what, for a person to read row by row: no word of it gets lost. Pure.
#pragma once

#include "core/model/task.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

enum class ClaimedResource { Registers, SharedMemory, Spills, Occupancy, MachineCode };

struct ClaimStatement {
    enum class Of { Speed, Shapes, Resource, Other };
    Of of = Of::Other;
    std::vector<Shape> shapes; ///< Of::Shapes
    ClaimedResource resource = ClaimedResource::Registers; ///< Of::Resource
    std::string words; ///< what is said of it, as written: "+4 %", "40.5 → 61 KiB"; of Other all of it

    bool operator==(const ClaimStatement&) const = default;
};

/// In the order in which they are written: "+4 %, +2 % on 512³ and 1024³, shared memory from 40.5 to 61 KiB".
std::vector<ClaimStatement> claimStatements(std::string_view claim);

} // namespace tilewright
