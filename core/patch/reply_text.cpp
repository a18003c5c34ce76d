// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/reply_text.h"

#include "core/base/text.h"

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

std::size_t lineEnd(std::string_view text, std::size_t at) { return std::min(text.find('\n', at), text.size()); }

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

std::optional<Tag> openingTag(std::string_view text, std::string_view name, std::size_t from)
{
    for (std::size_t at = text.find('<', from); at != std::string_view::npos; at = text.find('<', at + 1)) {
        if (!sameLetters(text.substr(at + 1), name) || !startsLine(text, at))
            continue;
        const std::size_t after = at + 1 + name.size();
        const std::size_t close = text.find('>', after);
        const bool plain = close == after;
        const bool attributes = after < text.size() && text[after] == ' ' && close < lineEnd(text, at);
        if (plain || attributes)
            return Tag{at, close + 1};
    }
    return std::nullopt;
}

std::optional<Tag> closingTag(std::string_view text, std::string_view name, std::size_t from)
{
    for (std::size_t at = text.find("</", from); at != std::string_view::npos; at = text.find("</", at + 2)) {
        std::size_t after = at + 2 + name.size();
        if (!sameLetters(text.substr(at + 2), name))
            continue;
        while (after < text.size() && text[after] == ' ')
            ++after;
        if (after < text.size() && text[after] == '>' && (startsLine(text, at) || endsLine(text, after + 1)))
            return Tag{at, after + 1};
    }
    return std::nullopt;
}

std::optional<Tag> spanEnd(std::string_view text, std::string_view name, std::size_t from)
{
    const auto close = closingTag(text, name, from);
    const std::string plain = "</" + std::string(name) + ">";
    const std::size_t anywhere = text.find(plain, from);
    if (anywhere != std::string_view::npos && (!close || anywhere < close->begin))
        return Tag{anywhere, anywhere + plain.size()};
    return close;
}

std::optional<std::string> withoutThoughts(std::string_view text)
{
    std::string rest(text);
    for (const std::string_view name : {"think", "thinking"}) {
        while (const auto open = openingTag(rest, name, 0)) {
            const auto close = spanEnd(rest, name, open->end);
            if (!close)
                return std::nullopt;
            rest.erase(open->begin, close->end - open->begin);
        }
        // Some servers leave the opening tag to the prompt.
        while (const auto close = closingTag(rest, name, 0)) {
            const std::size_t line = rest.rfind('\n', close->begin) + 1; // npos + 1 is 0
            if (rest[line] == '+' || rest[line] == '-')
                break;
            rest.erase(0, close->end);
        }
    }
    return rest;
}

std::vector<Fence> fencesIn(std::string_view text)
{
    std::vector<Fence> fences;
    std::size_t open = 0, indent = 0;
    char sign = 0;
    for (const std::string_view line : splitLines(text)) {
        char found = 0;
        const std::size_t length = fenceLength(line, found);
        if (open == 0) {
            if (length == 0)
                continue;
            open = length;
            sign = found;
            indent = line.find_first_not_of(" \t");
            const std::string_view language = trimmed(trimmed(line).substr(length));
            fences.push_back({std::string(language.substr(0, language.find(' '))), {}, false});
        } else if (length >= open && found == sign && trimmed(trimmed(line).substr(length)).empty()) {
            fences.back().closed = true;
            open = 0;
        } else {
            const std::size_t blanks = std::min({line.find_first_not_of(" \t"), indent, line.size()});
            fences.back().text.append(line.substr(blanks)) += '\n';
        }
    }
    return fences;
}

} // namespace tilewright::patch
