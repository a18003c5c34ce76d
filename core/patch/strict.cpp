// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/strict.h"

#include "core/base/text.h"

#include <charconv>

namespace tilewright::patch {
namespace {

/// "@@ -12,5 +12,6 @@": first line (0-based) and count of the old side.
struct Range {
    std::size_t first = 0, count = 1;
};

std::optional<Range> oldRange(std::string_view header)
{
    Range range;
    const char* const end = header.data() + header.size();
    const auto [afterFirst, problem] = std::from_chars(header.data() + 4, end, range.first);
    if (problem != std::errc())
        return std::nullopt;
    if (afterFirst < end && *afterFirst == ',' && std::from_chars(afterFirst + 1, end, range.count).ec != std::errc())
        return std::nullopt;
    if (range.count > 0 && range.first-- == 0)
        return std::nullopt;
    return range;
}

} // namespace

std::optional<std::string> appliedStrictly(std::string_view text, std::string_view diff)
{
    const auto source = splitLines(text), lines = splitLines(diff);
    std::string result;
    std::size_t next = 0, wanted = 0, seen = 0;
    for (std::size_t i = 2; i < lines.size(); ++i) {
        const std::string_view line = lines[i];
        if (line.starts_with("@@ -") && seen == wanted) {
            const auto range = oldRange(line);
            if (!range || range->first < next || range->first > source.size())
                return std::nullopt;
            for (; next < range->first; ++next)
                result.append(source[next]) += '\n';
            wanted = range->count;
            seen = 0;
        } else if (line.starts_with('+')) {
            result.append(line.substr(1)) += '\n';
        } else if (line.starts_with(' ') || line.starts_with('-')) {
            if (next >= source.size() || source[next] != line.substr(1) || ++seen > wanted)
                return std::nullopt;
            if (line[0] == ' ')
                result.append(source[next]) += '\n';
            ++next;
        } else {
            return std::nullopt;
        }
    }
    if (seen != wanted)
        return std::nullopt;
    for (; next < source.size(); ++next)
        result.append(source[next]) += '\n';
    if (!text.ends_with('\n') && result.ends_with('\n'))
        result.pop_back();
    return result;
}

} // namespace tilewright::patch
