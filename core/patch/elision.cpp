// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/elision.h"

#include "core/base/text.h"
#include "core/patch/elided_comment.h"
#include "core/patch/folding.h"

#include <string>
#include <vector>

namespace tilewright::patch {
namespace {

/// A line that is one comment: its text; nothing for other lines.
std::string_view commentOnly(std::string_view line)
{
    for (const std::string_view sign : {"//", "#", "--", ";;", "%"})
        if (line.starts_with(sign))
            return line.substr(sign.size());
    if (line.starts_with("/*") && line.size() >= 4 && line.find("*/") == line.size() - 2)
        return line.substr(2, line.size() - 4);
    if (line.starts_with("<!--") && line.ends_with("-->") && line.size() >= 7)
        return line.substr(4, line.size() - 7);
    return {};
}

bool onlyDots(std::string_view text)
{
    return text.find("...") != std::string_view::npos
        && text.find_first_not_of(".[](){}<> \t;") == std::string_view::npos;
}

/// A line of code that could be what a comment before it speaks of.
bool isCode(std::string_view line)
{
    line = trimmed(line);
    const bool directive = line.starts_with('#') && !line.starts_with("# ");
    return !line.empty() && !line.starts_with('}') && !line.starts_with(')')
        && (directive || commentOnly(line).empty());
}

/// Where the comment behind the code of a line begins; npos if there is none, or if a string may hold its sign.
std::size_t trailingComment(std::string_view text)
{
    for (const std::string_view sign : {"//", " # ", " #."}) {
        const std::size_t at = text.find(sign);
        if (at != std::string_view::npos && at > 0 && text[0] != '#'
            && text.substr(0, at).find_first_of("\"'") == std::string_view::npos)
            return at;
    }
    return std::string_view::npos;
}

bool trailingCommentElides(std::string_view text)
{
    const std::size_t at = trailingComment(text);
    if (at == std::string_view::npos)
        return false;
    const std::string_view comment = text.substr(at + 2), code = trimmedRight(text.substr(0, at));
    const std::vector<std::string> words = wordsOf(comment);
    if (saysRestUnchanged(words))
        return true;
    const bool isBare = code == "pass" || code == "{" || code == "{}" || code == "}" || code == ";";
    if (isBare || text[at] == '/')
        return (isBare || hasDots(comment)) && innerCommentElides(comment) && (!code.ends_with(';') || !words.empty());
    return hasDots(comment) && onlyPlaceholderWords(words) && saysLeftOut(words);
}

} // namespace

bool isPlaceholder(std::string_view line)
{
    const std::string text = folded(trimmed(line));
    if (text == ".." || (onlyDots(text) && text != "(...)" && text != "{...}"))
        return true;
    if (const std::string_view comment = commentOnly(text); !comment.empty())
        return commentElides(comment) == Elides::Yes;
    // "... rest of the code ...", "[rest unchanged]", "<... existing code ...>"
    const bool dotted = text.starts_with("...") || text.ends_with("...");
    const bool bracketed
        = (text.starts_with('[') && text.ends_with(']')) || (text.starts_with('<') && text.ends_with('>'));
    const std::vector<std::string> words = wordsOf(text);
    return (dotted || bracketed) && !words.empty() && onlyPlaceholderWords(words)
        && (saysLeftOut(words) || text.starts_with("...")) && text.find_first_of(";=\"") == std::string::npos;
}

bool elidesCode(std::string_view line, const Beside& beside)
{
    const std::string text = folded(trimmed(line));
    if (text == "..." && trimmedRight(beside.previous).ends_with(':') && !beside.removesCode)
        return false;
    if (isPlaceholder(line))
        return true;
    if (const std::string_view comment = commentOnly(text); !comment.empty())
        return commentElides(comment) == Elides::Perhaps && !isCode(beside.next);
    // "{ ... }" and "for (…) { ... }": no language of ours has dots alone between braces.
    for (std::size_t open = text.find('{'); open != std::string::npos; open = text.find('{', open + 1)) {
        const std::size_t close = text.find('}', open);
        if (close == std::string::npos)
            break;
        if (onlyDots(text.substr(open + 1, close - open - 1)) && text.find_first_of("\"'") == std::string::npos)
            return true;
    }
    for (std::size_t open = text.find("/*"); open != std::string::npos; open = text.find("/*", open + 2)) {
        const std::size_t close = text.find("*/", open + 2);
        if (close == std::string::npos)
            break;
        if (innerCommentElides(text.substr(open + 2, close - open - 2)))
            return true;
    }
    return trailingCommentElides(text);
}

bool saysCode(std::string_view line)
{
    line = trimmed(line);
    return !line.empty() && !line.ends_with(':') && line != "pass" && line != "..." && commentOnly(line).empty();
}

bool looksLikeSentence(std::string_view line)
{
    const std::string_view text = trimmed(line);
    const std::size_t first = text.find_first_not_of("*#->_ ");
    const bool begins = first != std::string_view::npos && text[first] >= 'A' && text[first] <= 'Z';
    return looksLikeProse(line) && (begins || std::string_view(".:!?").find(text.back()) != std::string_view::npos);
}

bool looksLikeProse(std::string_view line)
{
    const std::string_view text = trimmed(line);
    if (text.empty() || text.find_first_of(";{}=<>[]\\") != std::string_view::npos)
        return false;
    if (text.starts_with("//") || text.starts_with("/*") || text.starts_with("*/") || text.starts_with('@'))
        return false;
    if ((text.starts_with('#') && !text.starts_with("##")) || text.starts_with("import ")
        || (text.starts_with("from ") && text.find(" import ") != std::string_view::npos))
        return false;
    for (const std::string_view end : {" const", " noexcept", " override", ") ->"})
        if (text.ends_with(end) && text.find('(') != std::string_view::npos)
            return false; // a function's head
    std::size_t words = 0;
    for (const std::string& word : wordsOf(text))
        words += word.find('_') == std::string::npos;
    const bool heading = text.starts_with("**") || text.starts_with("##");
    return heading || (text.ends_with(':') && words >= 2 && text.find('(') == std::string_view::npos)
        || (words >= 4 && text.find_first_of("&|") == std::string_view::npos && !text.ends_with(')'))
        || (words >= 1 && words <= 3 && (text.ends_with('.') || text.ends_with('!'))
            && text.find('(') == std::string_view::npos);
}

} // namespace tilewright::patch
