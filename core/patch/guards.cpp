// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/guards.h"

#include "core/base/text.h"

#include <algorithm>

namespace tilewright::patch {
namespace {

bool isHashMarker(std::string_view line, std::string_view marker)
{
    line = trimmed(line);
    return line.starts_with('#') && trimmed(line.substr(1)) == marker;
}

std::vector<EvolveBlock> hashBlocks(const std::vector<std::string_view>& lines)
{
    std::vector<EvolveBlock> blocks;
    std::optional<std::size_t> open;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const bool starts = isHashMarker(lines[i], "EVOLVE-BLOCK-START");
        const bool ends = isHashMarker(lines[i], "EVOLVE-BLOCK-END");
        if ((starts && open) || (ends && !open))
            return {};
        if (starts)
            open = i;
        if (ends) {
            blocks.push_back({*open + 1, i - 1});
            open.reset();
        }
    }
    return open ? std::vector<EvolveBlock>() : blocks;
}

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

bool namesMarker(std::string_view line)
{
    return line.find("EVOLVE-BLOCK-START") != std::string_view::npos
        || line.find("EVOLVE-BLOCK-END") != std::string_view::npos;
}

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
    if (auto blocks = evolveBlocks(text); blocks && !blocks->empty())
        return *blocks;
    return hashBlocks(splitLines(text));
}

std::expected<void, Refusal> checkGuards(
    std::string_view before, std::string_view after, const std::vector<Edit>& edits)
{
    const std::vector<EvolveBlock> oldBlocks = blocksIn(before), newBlocks = blocksIn(after);
    if (oldBlocks.empty())
        return refuse("OUTSIDE_EVOLVE_BLOCK", "the program has no EVOLVE-BLOCK: nothing in it may change");
    const std::size_t hunk = hunkOutside(edits, oldBlocks);
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
