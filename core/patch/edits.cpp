// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/edits.h"

#include "core/patch/diff.h"

#include <algorithm>

namespace tilewright::patch {
namespace {

std::string textOf(const std::vector<std::string>& lines)
{
    std::string text;
    for (const std::string& line : lines)
        text.append(line) += '\n';
    return text;
}

/// Splits a replacement where lines stay as they are.
void appendMinimal(std::vector<Edit>& edits, const Edit& edit, const std::vector<std::string_view>& source)
{
    if (edit.begin == edit.end || edit.added.empty()) {
        edits.push_back(edit);
        return;
    }
    std::vector<std::string> old(source.begin() + static_cast<std::ptrdiff_t>(edit.begin),
        source.begin() + static_cast<std::ptrdiff_t>(edit.end));
    const std::string before = textOf(old), after = textOf(edit.added);
    std::optional<Edit> open;
    for (const DiffLine& line : diffLines(before, after)) {
        if (line.change == LineChange::Same) {
            if (open)
                edits.push_back(*open);
            open.reset();
            continue;
        }
        if (!open)
            open = Edit{edit.begin + line.oldLine, edit.begin + line.oldLine, {}, edit.hunk, edit.group};
        if (line.change == LineChange::Removed)
            ++open->end;
        else
            open->added.emplace_back(line.text);
    }
    if (open)
        edits.push_back(*open);
}

bool sameEdit(const Edit& a, const Edit& b) { return a.begin == b.begin && a.end == b.end && a.added == b.added; }

} // namespace

std::optional<std::vector<Edit>> editsOf(
    const std::vector<PlacedLine>& lines, const std::vector<std::string_view>& source)
{
    std::vector<Edit> edits;
    std::optional<std::size_t> before; // row of the last old line
    for (std::size_t i = 0; i < lines.size();) {
        if (lines[i].sign == Sign::Context) {
            before = lines[i++].row;
            continue;
        }
        Edit edit;
        std::optional<std::size_t> removed;
        for (; i < lines.size() && lines[i].sign != Sign::Context; ++i) {
            if (lines[i].sign == Sign::Added) {
                edit.added.push_back(lines[i].text);
                continue;
            }
            if (removed && lines[i].row != *removed + 1)
                return std::nullopt;
            if (!removed)
                edit.begin = lines[i].row;
            removed = lines[i].row;
        }
        const std::optional<std::size_t> after = i < lines.size() ? std::optional(lines[i].row) : std::nullopt;
        if (removed) {
            edit.end = *removed + 1;
            before = removed;
        } else {
            if ((before && after && *after != *before + 1) || (!before && !after))
                return std::nullopt;
            edit.begin = edit.end = before ? *before + 1 : *after;
        }
        appendMinimal(edits, edit, source);
    }
    return edits;
}

std::expected<MergedEdits, Refusal> merged(std::vector<Edit> edits)
{
    MergedEdits result;
    result.reordered = !std::ranges::is_sorted(edits, {}, &Edit::begin);
    std::ranges::stable_sort(
        edits, [](const Edit& a, const Edit& b) { return a.begin != b.begin ? a.begin < b.begin : a.end < b.end; });
    for (Edit& edit : edits) {
        if (!result.edits.empty()) {
            const Edit& last = result.edits.back();
            if (sameEdit(last, edit)) {
                result.repeated = true;
                continue;
            }
            const bool samePlace = last.begin == edit.begin && (last.begin == last.end) == (edit.begin == edit.end);
            if (edit.begin < last.end || samePlace)
                return refuse("CONFLICT",
                    "hunks " + std::to_string(std::min(last.hunk, edit.hunk)) + " and "
                        + std::to_string(std::max(last.hunk, edit.hunk)) + " change the same lines differently",
                    edit.hunk);
        }
        result.edits.push_back(std::move(edit));
    }
    return result;
}

} // namespace tilewright::patch
