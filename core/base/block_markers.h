// SPDX-License-Identifier: Apache-2.0
// The lines EVOLVE-BLOCK-START and EVOLVE-BLOCK-END of a program, as people write them. Pure.
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace tilewright {

struct BlockMarker {
    std::size_t line = 0; ///< 0-based
    bool isStart = false;
    bool isHash = false; ///< behind a '#', as Python writes comments
    bool isBehindCode = false; ///< a comment behind code on its line: a mistake, as only whole lines are markers

    bool operator==(const BlockMarker&) const = default;
};

/// The marker that a line is by itself, whatever stands around it: behind //, #, /*, *, --, ;, %, !, <!-- and their
/// kin, with any indentation and signs around, "_" for "-", letters of either case, and a label behind it: "  /*
/// EVOLVE-BLOCK-START: tiles */". Its line is 0.
std::optional<BlockMarker> markerOfLine(std::string_view line);

/// All markers of a text in order. A line inside a string that goes over several lines (R"(…)", """…""") is none.
std::vector<BlockMarker> blockMarkers(std::string_view text);

/// Lines [first, last] (0-based, both included) strictly between a pair of EVOLVE-BLOCK markers.
struct EvolveBlock {
    std::size_t firstLine = 0, lastLine = 0; ///< lastLine < firstLine for an empty block
    bool contains(std::size_t line) const { return line >= firstLine && line <= lastLine; }
};

/// Errors: source/marker (nested, unclosed or unopened marker, or one behind code, with its line). No marker: no
/// blocks.
Result<std::vector<EvolveBlock>> evolveBlocks(std::string_view text);

} // namespace tilewright
