// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/listing.h"

#include "core/base/text.h"

namespace tilewright::patch {
namespace {

/// "12 | code", "12: code", "  12\tcode": the number, and where the code begins.
struct Numbered {
    std::size_t number = 0, codeAt = 0;
};

std::optional<Numbered> numberedLine(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(' ');
    std::size_t at = std::min(first, text.size());
    Numbered result;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9' && at - first < 7)
        result.number = result.number * 10 + static_cast<std::size_t>(text[at++] - '0');
    if (at == std::min(first, text.size()))
        return std::nullopt;
    while (at < text.size() && text[at] == ' ')
        ++at;
    if (at >= text.size() || (text[at] != '|' && text[at] != ':' && text[at] != '\t'))
        return std::nullopt;
    result.codeAt = at + 1;
    return result;
}

} // namespace

std::optional<Hunk> withoutLineNumbers(const Hunk& hunk)
{
    std::optional<std::size_t> last;
    std::size_t added = 0, addedNumbered = 0;
    bool blankBehind = true;
    for (const HunkLine& line : hunk.lines) {
        const auto numbered = numberedLine(line.text);
        const bool isAdded = line.sign == Sign::Added;
        added += isAdded && !isBlank(line.text);
        addedNumbered += isAdded && numbered;
        if (!numbered && !isAdded && !isBlank(line.text))
            return std::nullopt;
        if (!numbered)
            continue;
        if (!isAdded && last && numbered->number <= *last)
            return std::nullopt;
        if (!isAdded)
            last = numbered->number;
        const std::string_view code = std::string_view(line.text).substr(numbered->codeAt);
        blankBehind &= code.empty() || code[0] == ' ';
    }
    if (!last || (addedNumbered != 0 && addedNumbered != added))
        return std::nullopt;
    Hunk stripped = hunk;
    for (HunkLine& line : stripped.lines)
        if (const auto numbered = numberedLine(line.text)) {
            line.text.erase(0, numbered->codeAt);
            if (blankBehind && !line.text.empty())
                line.text.erase(0, 1);
            line.signWritten = false;
        }
    return stripped;
}

std::optional<Hunk> readBehindNumbers(const Hunk& hunk)
{
    Hunk read = hunk;
    bool changes = false;
    for (HunkLine& line : read.lines) {
        if (isBlank(line.text) && !line.signWritten)
            continue;
        const std::string whole = (line.signWritten ? std::string(1, static_cast<char>(line.sign)) : "") + line.text;
        const auto numbered = numberedLine(whole);
        if (!numbered)
            return std::nullopt;
        std::string_view rest = std::string_view(whole).substr(numbered->codeAt);
        const bool blank
            = rest.starts_with(' ') && rest.size() > 1 && (rest[1] == '+' || rest[1] == '-' || rest[1] == ' ');
        rest.remove_prefix(blank ? 1 : 0);
        const char sign = rest.empty() ? ' ' : rest[0];
        if (sign != '+' && sign != '-' && sign != ' ')
            return std::nullopt;
        changes |= sign != ' ';
        line = {static_cast<Sign>(sign), std::string(rest.empty() ? rest : rest.substr(1))};
    }
    return changes ? std::optional(read) : std::nullopt;
}

} // namespace tilewright::patch
