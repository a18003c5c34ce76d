// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/line_numbers.h"

#include "core/base/text.h"
#include "core/patch/dropped_lines.h"
#include "core/patch/successor.h"

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

namespace {

class Neighbours
{
public:
    Neighbours(const Hunk& hunk, Comments comments, Counts counts)
        : m_hunk(hunk)
        , m_comments(comments)
    {
        for (const HunkLine& line : hunk.lines)
            if (line.sign != Sign::Context)
                m_opened += (line.sign == Sign::Added ? 1 : -1) * openBrackets(line.text, comments);
        const bool oldEven = hunk.oldCount == hunk.oldLines();
        m_even = oldEven && hunk.newCount == hunk.newLines();
        const std::size_t more = hunk.newLines() - std::min(hunk.newCount.value_or(hunk.newLines()), hunk.newLines());
        m_evenWithout = counts == Counts::Tell && oldEven && more > 0 && more <= 2;
    }

    std::optional<std::string> withoutMinus() const
    {
        for (std::size_t i = 1; i < m_hunk.lines.size() && !m_even; ++i) {
            const HunkLine &before = m_hunk.lines[i - 1], &line = m_hunk.lines[i];
            const bool begins = before.sign == Sign::Context && line.sign != Sign::Context;
            const bool ends = before.sign == Sign::Added && line.sign == Sign::Context;
            if (begins && isReplacedBehind(i))
                return before.text;
            if (ends && replaces(before.text, line.text))
                return line.text;
        }
        return std::nullopt;
    }

private:
    /// Is the context line before this one replaced by an added one behind it?
    bool isReplacedBehind(std::size_t first) const
    {
        const std::string_view old = m_hunk.lines[first - 1].text;
        bool isFirst = true;
        for (std::size_t i = first; i < m_hunk.lines.size() && m_hunk.lines[i].sign != Sign::Context; ++i) {
            if (m_hunk.lines[i].sign == Sign::Removed)
                continue;
            const std::string_view fresh = m_hunk.lines[i].text;
            if (isFirst && (replaces(old, fresh) || isUnreachable(old, fresh)))
                return true;
            if (!isFirst && takesPlaceLater(old, fresh, m_comments))
                return true;
            const std::string_view text = trimmed(fresh);
            const bool leavesScope
                = text.starts_with('}') || text.starts_with('#') || indentOf(fresh).size() < indentOf(old).size();
            if (!text.empty() && (leavesScope || mentionsTarget(fresh, old, m_comments)))
                return false;
            isFirst = false;
        }
        return false;
    }

    bool replaces(std::string_view old, std::string_view fresh) const
    {
        if (m_evenWithout && trimmed(old) != trimmed(fresh) && likeness(trimmed(old), trimmed(fresh)) >= 0.5)
            return true;
        // What opens as many brackets as the line before it is another block's head where the hunk closes them.
        const int opened = openBrackets(old, m_comments);
        return takesPlace(old, fresh, m_comments) && (opened == 0 || m_opened != 0);
    }

    bool isUnreachable(std::string_view old, std::string_view fresh) const
    {
        const std::string_view text = trimmed(fresh);
        const bool isLabel = text.ends_with(':') || text.starts_with("case ") || text.starts_with("default");
        const bool isOther = text.empty() || text[0] == '}' || text[0] == '#' || text.starts_with("//")
            || text.starts_with("/*") || isLabel;
        return !isOther && indentOf(old) == indentOf(fresh) && trimmed(old) != text && leavesBlock(old, m_comments);
    }

    const Hunk& m_hunk;
    Comments m_comments;
    int m_opened = 0; ///< brackets that the hunk opens and does not close
    bool m_even = false; ///< the counts are those of the lines as they are written
    bool m_evenWithout = false; ///< they would be if one or two context lines were removed ones
};

} // namespace

std::optional<std::string> lineWithoutMinus(const Hunk& hunk, Comments comments, Counts counts)
{
    return hunk.isBlock ? std::nullopt : Neighbours(hunk, comments, counts).withoutMinus();
}

} // namespace tilewright::patch
