// SPDX-License-Identifier: GPL-3.0-or-later
// A claim taken apart into what it says of what, for a user to read row by row: no word of it gets lost. Pure.
#pragma once

#include "core/model/task/task.h"

#include <optional>
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

// How the words of a claim are read: the parts that it has, the shapes they name, the speed they tell. Pure.

/// The claim in lower case, with signs of one byte: × as x, ³ as ^3, − as -, a non-breaking blank as a blank. What
/// follows reads it.
std::string plainClaim(std::string_view claim);

/// The speed ratio to the parent that these words tell; none where they name a shape, or something else than speed.
std::optional<double> speedRatioIn(std::string_view clause);

/// A part of a claim: the shapes that it names, and what is left of its words without those that join the two.
struct ClaimPart {
    std::vector<Shape> shapes;
    std::string rest;
};
ClaimPart claimPartOf(std::string_view words);
/// Split where one claim ends and another may begin.
std::vector<ClaimPart> claimPartsOf(const std::string& plain);

} // namespace tilewright
