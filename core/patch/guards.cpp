// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/guards.h"

#include "core/base/block_markers.h"
#include "core/base/text.h"

#include <algorithm>

namespace tilewright::patch {
namespace {

bool isInside(const std::vector<EvolveBlock>& blocks, std::size_t line)
{
    return std::ranges::any_of(blocks, [&](const EvolveBlock& block) { return block.contains(line); });
}

/// Everything outside the blocks, and of it the marker lines.
struct Protected {
    std::vector<std::string_view> lines, markers;
};

Protected protectedOf(std::string_view text, const std::vector<EvolveBlock>& blocks)
{
    Protected kept;
    const std::vector<std::string_view> lines = splitLines(text);
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (!isInside(blocks, i))
            kept.lines.push_back(lines[i]);
    for (const EvolveBlock& block : blocks) {
        kept.markers.push_back(lines[block.firstLine - 1]);
        kept.markers.push_back(lines[block.lastLine + 1]);
    }
    return kept;
}

/// Of the first edit that removes a protected line or inserts outside.
std::size_t hunkOutside(const std::vector<Edit>& edits, const std::vector<EvolveBlock>& blocks)
{
    for (const Edit& edit : edits) {
        const bool inserts = edit.begin == edit.end;
        bool outside = inserts && std::ranges::none_of(blocks, [&](const EvolveBlock& block) {
            return edit.begin >= block.firstLine && edit.begin <= block.lastLine + 1;
        });
        for (std::size_t line = edit.begin; line < edit.end; ++line)
            outside |= !isInside(blocks, line);
        if (outside)
            return edit.hunk;
    }
    return edits.empty() ? 0 : edits.front().hunk;
}

bool namesMarker(std::string_view line) { return markerOfLine(line).has_value(); }

/// Does an edit take a marker's line away, or bring one?
bool movesMarker(const std::vector<Edit>& edits, const std::vector<EvolveBlock>& blocks)
{
    return std::ranges::any_of(edits, [&](const Edit& edit) {
        return std::ranges::any_of(edit.added, namesMarker)
            || std::ranges::any_of(blocks, [&](const EvolveBlock& block) {
                   const auto removes = [&](std::size_t line) { return line >= edit.begin && line < edit.end; };
                   return removes(block.firstLine - 1) || removes(block.lastLine + 1);
               });
    });
}

} // namespace

std::vector<EvolveBlock> blocksIn(std::string_view text)
{
    return evolveBlocks(text).value_or(std::vector<EvolveBlock>());
}

std::expected<void, Refusal> checkGuards(
    std::string_view before, std::string_view after, const std::vector<Edit>& edits)
{
    const auto oldRead = evolveBlocks(before), newRead = evolveBlocks(after);
    if (!oldRead)
        return refuse("OUTSIDE_EVOLVE_BLOCK", "the program's markers are invalid: " + oldRead.error().text);
    const std::vector<EvolveBlock>& oldBlocks = *oldRead;
    if (oldBlocks.empty())
        return refuse("OUTSIDE_EVOLVE_BLOCK", "the program has no EVOLVE-BLOCK: no line can be changed");
    const std::size_t hunk = hunkOutside(edits, oldBlocks);
    if (!newRead)
        return refuse("MARKER_CHANGED", "it breaks the EVOLVE-BLOCK markers: " + newRead.error().text, hunk);
    const std::vector<EvolveBlock>& newBlocks = *newRead;
    if (newBlocks.size() != oldBlocks.size())
        return refuse("MARKER_CHANGED", "it changes an EVOLVE-BLOCK marker", hunk);
    const Protected old = protectedOf(before, oldBlocks), fresh = protectedOf(after, newBlocks);
    if (old.markers != fresh.markers)
        return refuse("MARKER_CHANGED", "it changes an EVOLVE-BLOCK marker", hunk);
    if (old.lines != fresh.lines && movesMarker(edits, oldBlocks))
        return refuse("MARKER_CHANGED", "it moves an EVOLVE-BLOCK marker", hunk);
    if (old.lines != fresh.lines)
        return refuse("OUTSIDE_EVOLVE_BLOCK", "it changes lines outside the EVOLVE-BLOCK", hunk);
    return {};
}

bool keepsProtectedLines(std::string_view before, std::string_view after)
{
    const std::vector<EvolveBlock> oldBlocks = blocksIn(before), newBlocks = blocksIn(after);
    if (oldBlocks.empty() || newBlocks.size() != oldBlocks.size())
        return false;
    const Protected old = protectedOf(before, oldBlocks), fresh = protectedOf(after, newBlocks);
    return old.lines == fresh.lines && old.markers == fresh.markers;
}

} // namespace tilewright::patch
