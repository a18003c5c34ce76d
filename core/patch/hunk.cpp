// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/hunk.h"

#include "core/base/text.h"

#include <algorithm>

namespace tilewright::patch {

std::unexpected<Refusal> refuse(std::string code, std::string text, std::size_t hunk)
{
    Refusal refusal;
    refusal.code = std::move(code);
    refusal.text = std::move(text);
    refusal.hunk = hunk;
    return std::unexpected(std::move(refusal));
}

bool insertsAt(const Hunk& hunk, std::size_t line)
{
    std::size_t first = line, last = line;
    while (first > 0 && hunk.lines[first - 1].sign != Sign::Context)
        --first;
    while (last + 1 < hunk.lines.size() && hunk.lines[last + 1].sign != Sign::Context)
        ++last;
    return std::none_of(hunk.lines.begin() + static_cast<std::ptrdiff_t>(first),
        hunk.lines.begin() + static_cast<std::ptrdiff_t>(last + 1),
        [](const HunkLine& one) { return one.sign == Sign::Removed; });
}

bool isBlank(std::string_view line) { return trimmed(line).empty(); }

std::string_view indentOf(std::string_view line)
{
    return line.substr(0, std::min(line.find_first_not_of(" \t"), line.size()));
}

bool isIdle(const Hunk& hunk)
{
    std::string before, after;
    for (const HunkLine& line : hunk.lines) {
        if (line.sign != Sign::Added)
            before.append(trimmedRight(line.text)) += '\n';
        if (line.sign != Sign::Removed)
            after.append(trimmedRight(line.text)) += '\n';
    }
    return before == after;
}

} // namespace tilewright::patch
