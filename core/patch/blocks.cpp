// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/blocks.h"

#include "core/base/text.h"
#include "core/patch/diff.h"
#include "core/patch/elision.h"
#include "core/patch/unified.h"

#include <algorithm>
#include <charconv>

namespace tilewright::patch {
namespace {

/// "<<<<<<< SEARCH": how many signs, and what follows; 0 for other lines.
std::size_t signsOf(std::string_view line, char sign, std::string_view& rest)
{
    line = trimmedRight(line);
    const std::size_t end = std::min(line.find_first_not_of(sign), line.size());
    rest = trimmed(line.substr(end));
    return end >= 4 && end <= 20 ? end : 0;
}

bool startsWithWord(std::string_view text, std::string_view word)
{
    if (text.size() < word.size())
        return false;
    for (std::size_t i = 0; i < word.size(); ++i)
        if ((text[i] & ~0x20) != word[i])
            return false;
    return text.size() == word.size() || text[word.size()] == ' ' || text[word.size()] == '>'
        || text[word.size()] == ':';
}

bool isDivider(std::string_view line)
{
    std::string_view rest;
    return signsOf(line, '=', rest) > 0 && rest.empty();
}

/// A line before a block that names the file: one word with a suffix.
bool looksLikePath(std::string_view line)
{
    line = trimmed(line);
    while (line.starts_with('#') || line.starts_with('*') || line.starts_with('`') || line.starts_with(' '))
        line.remove_prefix(1);
    while (line.ends_with('*') || line.ends_with('`') || line.ends_with(':'))
        line.remove_suffix(1);
    const std::size_t dot = line.rfind('.');
    return dot != std::string_view::npos && dot > 0 && line.size() - dot >= 2 && line.size() - dot <= 6
        && std::ranges::all_of(line, [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-'
                   || c == '.' || c == '/';
           });
}

using Lines = std::vector<std::string_view>;

class BlocksParser
{
public:
    BlocksParser(const Lines& lines, End end)
        : m_lines(lines)
        , m_end(end)
    {
    }

    std::expected<ParsedPatch, Refusal> parse()
    {
        for (std::size_t at = 0; at < m_lines.size(); ++at) {
            if (isReplaceMarker(m_lines[at]) && !isSearchMarker(m_lines[at]))
                return refuse("MALFORMED", "a REPLACE end without a SEARCH", m_patch.hunks.size() + 1);
            if (!isSearchMarker(m_lines[at]))
                continue;
            noteName(at);
            const auto next = block(at);
            if (!next)
                return std::unexpected(next.error());
            at = *next;
        }
        return std::move(m_patch);
    }

private:
    /// The file's name in the line before the block, or before the fence that opens there.
    void noteName(std::size_t at)
    {
        std::size_t before = at;
        while (before > 0 && (isBlank(m_lines[before - 1]) || trimmed(m_lines[before - 1]).starts_with("```")))
            --before;
        if (before == 0 || !looksLikePath(m_lines[before - 1]))
            return;
        std::string_view name = trimmed(m_lines[before - 1]);
        name.remove_prefix(std::min(name.find_first_not_of("#*` "), name.size()));
        while (name.ends_with('*') || name.ends_with('`') || name.ends_with(':'))
            name.remove_suffix(1);
        for (const std::string& known : m_patch.files)
            if (sameFile(known, name))
                return;
        m_patch.files.emplace_back(name);
    }

    std::unexpected<Refusal> unended(const std::string& what, std::size_t last) const
    {
        const std::size_t number = m_patch.hunks.size() + 1;
        const bool cut = last >= m_lines.size() && m_end == End::Open;
        return refuse(
            cut ? "TRUNCATED" : "MALFORMED", (cut ? "the reply ends before the " : "there is no ") + what, number);
    }

    /// Reads the block whose SEARCH line is at first; the line of its REPLACE end.
    std::expected<std::size_t, Refusal> block(std::size_t first)
    {
        std::size_t last = first + 1;
        while (last < m_lines.size() && !isReplaceMarker(m_lines[last]) && !isSearchMarker(m_lines[last]))
            ++last;
        if (last >= m_lines.size() || !isReplaceMarker(m_lines[last])) {
            const bool fenced = last >= m_lines.size() && closingFence(first, last);
            return unended("REPLACE end of the block", fenced ? first : last);
        }
        std::vector<std::size_t> dividers;
        for (std::size_t i = first + 1; i < last; ++i)
            if (isDivider(m_lines[i]))
                dividers.push_back(i);
        if (dividers.size() > 1) {
            std::string_view rest;
            const std::size_t wanted = std::max(signsOf(m_lines[first], '<', rest), signsOf(m_lines[first], '-', rest));
            std::erase_if(dividers, [&](std::size_t i) { return signsOf(m_lines[i], '=', rest) != wanted; });
        }
        if (dividers.size() != 1)
            return unended("clear ======= divider in the block", first);
        Lines search(m_lines.begin() + static_cast<std::ptrdiff_t>(first + 1),
            m_lines.begin() + static_cast<std::ptrdiff_t>(dividers[0]));
        const Lines replace(m_lines.begin() + static_cast<std::ptrdiff_t>(dividers[0] + 1),
            m_lines.begin() + static_cast<std::ptrdiff_t>(last));
        Hunk hunk;
        hunk.isBlock = true;
        readHints(search, hunk);
        for (std::size_t i = first; i <= last; ++i)
            hunk.written.append(m_lines[i]) += '\n';
        const std::size_t number = m_patch.hunks.size() + 1;
        if (std::ranges::all_of(search, isBlank))
            return refuse("NO_CONTEXT", "the SEARCH part is empty, so the place of the lines is unknown", number);
        addDifference(search, replace, hunk);
        m_patch.hunks.push_back(std::move(hunk));
        return last;
    }

    /// Does a fence end behind the block? Then the block is broken, not cut off.
    bool closingFence(std::size_t first, std::size_t last) const
    {
        return std::any_of(m_lines.begin() + static_cast<std::ptrdiff_t>(first),
            m_lines.begin() + static_cast<std::ptrdiff_t>(last),
            [](std::string_view line) { return trimmed(line) == "```"; });
    }

    /// ":start_line:12" and a line of dashes, as some tools have models write them.
    static void readHints(Lines& search, Hunk& hunk)
    {
        while (!search.empty() && (search[0].starts_with(":start_line:") || search[0].starts_with(":end_line:"))) {
            const std::string_view digits = trimmed(search[0].substr(search[0].rfind(':') + 1));
            std::size_t line = 0;
            const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), line);
            if (problem == std::errc() && line > 0 && search[0].starts_with(":start"))
                hunk.oldStart = line - 1;
            search.erase(search.begin());
            if (!search.empty() && trimmed(search[0]) == "-------")
                search.erase(search.begin());
        }
    }

    static void addDifference(const Lines& search, const Lines& replace, Hunk& hunk)
    {
        // Trailing blanks are no difference between the halves.
        std::string before, after;
        for (const std::string_view line : search)
            before.append(trimmedRight(line)) += '\n';
        for (const std::string_view line : replace)
            after.append(trimmedRight(line)) += '\n';
        for (const DiffLine& line : diffLines(before, after)) {
            const bool added = line.change == LineChange::Added;
            const Sign sign = added ? Sign::Added : line.change == LineChange::Removed ? Sign::Removed : Sign::Context;
            const std::string_view text = added ? replace[line.newLine] : search[line.oldLine];
            hunk.lines.push_back({sign, std::string(text), sign != Sign::Context});
        }
    }

    const Lines& m_lines;
    End m_end;
    ParsedPatch m_patch;
};

} // namespace

bool isSearchMarker(std::string_view line)
{
    std::string_view rest;
    return (signsOf(line, '<', rest) > 0 && (startsWithWord(rest, "SEARCH") || startsWithWord(rest, "ORIGINAL")))
        || (signsOf(line, '-', rest) > 0 && startsWithWord(rest, "SEARCH"));
}

bool isReplaceMarker(std::string_view line)
{
    std::string_view rest;
    return (signsOf(line, '>', rest) > 0 && (startsWithWord(rest, "REPLACE") || startsWithWord(rest, "UPDATED")))
        || (signsOf(line, '+', rest) > 0 && startsWithWord(rest, "REPLACE"));
}

std::expected<ParsedPatch, Refusal> parseBlocks(const std::vector<std::string_view>& lines, End end)
{
    return BlocksParser(lines, end).parse();
}

} // namespace tilewright::patch
