// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/reply_text.h"

#include "core/base/text.h"
#include "core/patch/hunk_header.h"

#include <algorithm>

namespace tilewright::patch {
namespace {

bool sameLetters(std::string_view text, std::string_view wanted)
{
    return text.size() >= wanted.size() && std::equal(wanted.begin(), wanted.end(), text.begin(), [](char a, char b) {
        return a == b || (a >= 'a' && a <= 'z' && a - 'a' + 'A' == b);
    });
}

bool startsLine(std::string_view text, std::size_t at)
{
    while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t'))
        --at;
    return at == 0 || text[at - 1] == '\n' || text[at - 1] == '>';
}

bool endsLine(std::string_view text, std::size_t at)
{
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t'))
        ++at;
    return at >= text.size() || text[at] == '\n' || text[at] == '<';
}

constexpr std::array<std::string_view, 5> names{"reasoning", "diff", "expected_impact", "proposal", "title"};

std::optional<Tag> nextOf(const std::vector<Tag>& tags, std::size_t from)
{
    const auto found = std::ranges::lower_bound(tags, from, {}, &Tag::begin);
    return found == tags.end() ? std::nullopt : std::optional(*found);
}

/// "```cpp": length of the fence's signs, 0 if it is none.
std::size_t fenceLength(std::string_view line, char& sign)
{
    line = trimmed(line);
    if (line.empty() || (line[0] != '`' && line[0] != '~'))
        return 0;
    sign = line[0];
    const std::size_t length = std::min(line.find_first_not_of(sign), line.size());
    const bool inlineCode = line.substr(length).find('`') != std::string_view::npos;
    return length >= 3 && !inlineCode ? length : 0;
}

} // namespace

std::vector<HunkSpan> claimedByCounts(std::string_view text)
{
    std::vector<HunkSpan> spans;
    if (text.find("@@") == std::string_view::npos)
        return spans;
    const std::vector<std::string_view> lines = splitLines(text);
    const auto offset = [&](std::size_t line) {
        return line < lines.size() ? static_cast<std::size_t>(lines[line].data() - text.data()) : text.size();
    };
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (!isHunkHeader(lines[i]))
            continue;
        const auto end = countedEnd(lines, i);
        if (!end || *end == i + 1)
            continue;
        spans.push_back({offset(i + 1), offset(*end), offset(*end - 1)});
        i = *end - 1;
    }
    return spans;
}

bool endsHunk(std::string_view text, std::size_t at, const HunkSpan& hunk)
{
    return at > hunk.lastLine && !trimmed(text.substr(hunk.lastLine + 1, at - hunk.lastLine - 1)).empty();
}

Tags::Tags(std::string_view text)
{
    const std::vector<HunkSpan> claimed = claimedByCounts(text);
    auto next = claimed.begin();
    for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
        while (next != claimed.end() && next->end <= at)
            ++next;
        if (next == claimed.end() || at < next->begin || endsHunk(text, at, *next))
            take(text, at);
    }
}

/// Notes the tag at this '<', if it is one.
void Tags::take(std::string_view text, std::size_t at)
{
    const bool closes = at + 1 < text.size() && text[at + 1] == '/';
    const std::string_view rest = text.substr(at + (closes ? 2 : 1));
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (!sameLetters(rest, names[i]))
            continue;
        std::size_t after = at + (closes ? 2 : 1) + names[i].size();
        if (!closes) {
            const std::size_t end = text.find_first_of(">\n", after);
            const bool isEnded = end != std::string_view::npos && text[end] == '>';
            if (isEnded && (end == after || text[after] == ' ') && startsLine(text, at))
                m_marks[i].openings.push_back({at, end + 1});
            continue;
        }
        if (after < text.size() && text[after] == '>' && rest.starts_with(names[i]))
            m_marks[i].plainEnds.push_back({at, after + 1});
        while (after < text.size() && text[after] == ' ')
            ++after;
        if (after < text.size() && text[after] == '>' && (startsLine(text, at) || endsLine(text, after + 1)))
            m_marks[i].closings.push_back({at, after + 1});
    }
}

const Tags::Marks* Tags::marksOf(std::string_view name) const
{
    const auto found = std::ranges::find(names, name);
    return found == names.end() ? nullptr : &m_marks[static_cast<std::size_t>(found - names.begin())];
}

std::optional<Tag> Tags::opening(std::string_view name, std::size_t from) const
{
    const Marks* marks = marksOf(name);
    return marks ? nextOf(marks->openings, from) : std::nullopt;
}

std::optional<Tag> Tags::closing(std::string_view name, std::size_t from) const
{
    const Marks* marks = marksOf(name);
    return marks ? nextOf(marks->closings, from) : std::nullopt;
}

std::optional<Tag> Tags::spanEnd(std::string_view name, std::size_t from) const
{
    const auto close = closing(name, from);
    const Marks* marks = marksOf(name);
    const auto anywhere = marks ? nextOf(marks->plainEnds, from) : std::nullopt;
    return anywhere && (!close || anywhere->begin < close->begin) ? anywhere : close;
}

std::string takeSpans(std::string& text, std::string_view name)
{
    const Tags tags(text);
    const std::string_view all = text;
    std::string_view said;
    std::string kept;
    std::size_t copied = 0;
    for (std::size_t from = 0;;) {
        const auto open = tags.opening(name, from);
        if (!open)
            break;
        std::size_t textEnd = 0, end = 0;
        if (const auto close = tags.spanEnd(name, open->end)) {
            textEnd = close->begin;
            end = close->end;
        } else if (const auto diff = tags.opening("diff", open->end)) {
            textEnd = end = diff->begin;
        } else {
            said = all.substr(open->end);
            from = open->end;
            continue;
        }
        said = all.substr(open->end, textEnd - open->end);
        kept.append(all.substr(copied, open->begin - copied)) += '\n';
        from = copied = end;
    }
    const std::string last(trimmed(said));
    text = kept.append(all.substr(copied));
    return last;
}

namespace {

/// A fence around prose, or around nothing but another fence.
bool isWrapper(const Fence& fence)
{
    const std::string name = lowered(fence.language);
    return name == "markdown" || name == "md" || name.empty();
}

std::size_t fenceLengthOfFirstLine(std::string_view text)
{
    text.remove_prefix(std::min(text.find_first_not_of(" \t\n"), text.size()));
    char sign = 0;
    return fenceLength(text.substr(0, text.find('\n')), sign);
}

std::vector<Fence> outerFencesIn(std::string_view text)
{
    std::vector<Fence> fences;
    std::size_t open = 0, indent = 0, claimedEnd = 0;
    char sign = 0;
    const std::vector<std::string_view> lines = splitLines(text);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::string_view line = outdented(lines[i], open == 0 ? 0 : indent);
        if (i >= claimedEnd && isHunkHeader(line))
            claimedEnd = countedEnd(lines, i, open == 0 ? 0 : indent).value_or(0);
        char found = 0;
        const std::size_t length = i < claimedEnd ? 0 : fenceLength(line, found);
        const std::string_view behind = length == 0 ? std::string_view() : trimmed(trimmed(line).substr(length));
        // "```markdown" and then "```cpp": the second one opens what is meant.
        const bool nested = open > 0 && length >= open && found == sign && !behind.empty() && isWrapper(fences.back())
            && (!fences.back().language.empty() || trimmed(fences.back().text).empty());
        if (nested)
            fences.pop_back();
        if (open == 0 || nested) {
            if (length == 0)
                continue;
            open = length;
            sign = found;
            indent = line.find_first_not_of(" \t");
            fences.push_back({std::string(behind.substr(0, behind.find(' '))), {}, false});
        } else if (length >= open && found == sign && behind.empty()) {
            fences.back().closed = true;
            open = 0;
        } else {
            fences.back().text.append(line) += '\n';
        }
    }
    return fences;
}

} // namespace

std::vector<Fence> fencesIn(std::string_view text)
{
    std::vector<Fence> fences;
    for (Fence& fence : outerFencesIn(text)) {
        std::vector<Fence> inner = isWrapper(fence) ? outerFencesIn(fence.text) : std::vector<Fence>();
        const bool isPart = std::ranges::none_of(inner, &Fence::closed)
            || (fence.language.empty() && fenceLengthOfFirstLine(fence.text) == 0);
        if (isPart)
            fences.push_back(std::move(fence));
        else
            std::ranges::move(inner, std::back_inserter(fences));
    }
    return fences;
}

} // namespace tilewright::patch
