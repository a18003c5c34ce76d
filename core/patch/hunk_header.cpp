// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/hunk_header.h"

#include "core/base/reply_marks.h"
#include "core/base/text.h"
#include "core/patch/elision.h"
#include "core/patch/hunk.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace tilewright::patch {
namespace {

/// Reads the number at text and moves past it; nothing if there is none.
std::optional<std::size_t> numberAt(std::string_view& text)
{
    std::size_t value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc())
        return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

/// Reads "12,5"; the count is 1 where it is missing.
std::optional<std::pair<std::size_t, std::size_t>> rangeAt(std::string_view& text)
{
    const auto start = numberAt(text);
    if (!start)
        return std::nullopt;
    std::size_t count = 1;
    if (text.starts_with(',')) {
        text.remove_prefix(1);
        const auto read = numberAt(text);
        if (!read)
            return std::nullopt;
        count = *read;
    }
    return std::pair(*start, count);
}

/// "-X,Y +X,Y @@", "line 12 @@": no numbers to be used, and no heading either.
std::string_view withoutNumberText(std::string_view text)
{
    const std::size_t end = text.find("@@");
    const std::string_view between = text.substr(0, end);
    const bool numbers = (end != std::string_view::npos && isPlaceholder(between)) || between.starts_with('-')
        || between.starts_with('+') || between.starts_with("line") || between.starts_with("Line")
        || (!between.empty() && between.find_first_not_of("0123456789,+- ") == std::string_view::npos);
    if (!numbers)
        return text;
    return end == std::string_view::npos ? std::string_view() : trimmed(text.substr(end + 2));
}

/// Takes "-12,5 +12,6 @@" off the text; what is left.
std::string_view readNumbers(std::string_view text, HunkHeader& header)
{
    std::string_view rest = text;
    rest.remove_prefix(rest.starts_with('-') ? 1 : 0);
    const auto old = text.starts_with('-') ? rangeAt(rest) : std::nullopt;
    if (!old)
        return withoutNumberText(text);
    rest = trimmed(rest);
    if (old->first > 0 || old->second == 0)
        header.oldStart = old->first > 0 ? old->first - 1 : 0;
    if (rest.starts_with('+')) {
        rest.remove_prefix(1);
        if (const auto fresh = rangeAt(rest)) {
            header.oldCount = old->second;
            header.newCount = fresh->second;
        }
    }
    while (rest.starts_with('@') || rest.starts_with(' '))
        rest.remove_prefix(1);
    return rest;
}

bool hasSign(std::string_view line) { return line.empty() || line[0] == ' ' || line[0] == '+' || line[0] == '-'; }

/// A line without a sign that no hunk goes on behind.
bool beginsSomethingElse(std::string_view line)
{
    const bool openingTag = line.size() > 2 && line[0] == '<' && line.find('>') != std::string_view::npos
        && std::ranges::all_of(line.substr(1, line.find_first_of("> ") - 1),
            [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; });
    return openingTag || isHunkHeader(line) || line.starts_with("diff --git ") || line.starts_with("*** ")
        || line.starts_with("<<<<");
}

/// "[/THINK]", "<|end|>": a mark at the line's begin that ends a thought, an answer or a message.
bool beginsWithReplyMark(std::string_view line)
{
    if (line.empty() || std::string_view("<[&\xe2\xe3").find(line.front()) == std::string_view::npos)
        return false;
    const std::vector<ReplyMark> marks = replyMarksIn(line.substr(0, 240));
    if (marks.empty() || marks.front().begin > 0)
        return false;
    const MarkRole role = marks.front().role;
    return role != MarkRole::Open && role != MarkRole::AnswerOpen && role != MarkRole::ReasoningOpen
        && role != MarkRole::ReasoningClose;
}

bool isClosingMark(std::string_view line)
{
    return isFenceLine(line) || line.starts_with("</") || trimmed(line) == "]]>" || beginsWithReplyMark(line);
}

} // namespace

bool isHunkHeader(std::string_view line)
{
    if (line.starts_with("@@"))
        return true;
    return line.starts_with("@ -") && line.size() > 3 && line[3] >= '0' && line[3] <= '9';
}

bool isFenceLine(std::string_view line)
{
    line = trimmed(line);
    return (line.starts_with("```") || line.starts_with("~~~")) && line.find(' ') == std::string_view::npos;
}

HunkHeader readHunkHeader(std::string_view line)
{
    HunkHeader header;
    const std::string_view text = trimmed(line.substr(std::min(line.find_first_not_of('@'), line.size())));
    std::string_view rest = readNumbers(text, header);
    while (rest.ends_with('@'))
        rest.remove_suffix(1);
    rest = trimmed(rest);
    if (!rest.empty() && !isPlaceholder(rest))
        header.heading = rest;
    return header;
}

std::string_view outdented(std::string_view line, std::size_t blanks)
{
    return line.substr(std::min({line.find_first_not_of(" \t"), blanks, line.size()}));
}

std::optional<std::size_t> countedEnd(
    const std::vector<std::string_view>& lines, std::size_t header, std::size_t indent)
{
    const HunkHeader counts = readHunkHeader(outdented(lines[header], indent));
    if (!counts.oldCount)
        return std::nullopt;
    std::size_t old = *counts.oldCount, fresh = *counts.newCount, at = header + 1;
    bool holdsMark = false, markIsLast = false, markIsBare = false;
    for (; at < lines.size() && (old > 0 || fresh > 0); ++at) {
        const std::string_view line = outdented(lines[at], indent);
        if (line.starts_with('\\'))
            continue;
        if (!hasSign(line) && beginsSomethingElse(line))
            return std::nullopt;
        const bool isMark = isClosingMark(hasSign(line) && !line.empty() ? line.substr(1) : line);
        holdsMark |= isMark;
        if (isMark || !isBlank(line)) {
            markIsLast = isMark;
            markIsBare = isMark && !hasSign(line);
        }
        const bool isOld = !line.starts_with('+'), isNew = !line.starts_with('-');
        if ((isOld && old == 0) || (isNew && fresh == 0))
            return std::nullopt;
        old -= isOld ? 1 : 0;
        fresh -= isNew ? 1 : 0;
    }
    // A mark without a sign behind which no further line stands is the end, and the counts are too large.
    if (old > 0 || fresh > 0 || markIsBare)
        return std::nullopt;
    while (at < lines.size() && outdented(lines[at], indent).starts_with('\\'))
        ++at;
    const std::string_view next = at < lines.size() ? outdented(lines[at], indent) : std::string_view();
    // Where a mark was taken for text, another one, or the text's end, has to show that the hunk really ends here.
    const bool ends = isClosingMark(next) || isHunkHeader(next) || next.starts_with("--- ");
    const bool goesOn = at == lines.size() || beginsSomethingElse(next) || next.starts_with("<![");
    return ends || (!markIsLast && goesOn) || (!holdsMark && isBlank(next)) ? std::optional(at) : std::nullopt;
}

} // namespace tilewright::patch
