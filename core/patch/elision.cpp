// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/elision.h"

#include "core/base/text.h"
#include "core/patch/folding.h"
#include "core/patch/reply_text.h"

#include <algorithm>
#include <array>
#include <span>
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

namespace {

/// The words that placeholders are made of.
constexpr std::array<std::string_view, 110> vocabulary{"a", "above", "all", "alone", "and", "any", "as", "are",
    "before", "below", "block", "body", "brevity", "change", "changed", "changes", "class", "code", "continue",
    "continued", "continues", "declarations", "definitions", "elided", "else", "end", "etc", "everything", "exactly",
    "existing", "file", "follows", "for", "from", "function", "functions", "goes", "helper", "helpers", "here",
    "identical", "implementation", "in", "includes", "insert", "is", "it", "its", "keep", "kept", "kernel", "kernels",
    "leave", "lines", "line", "logic", "loop", "main", "method", "methods", "needed", "no", "not", "of", "omitted",
    "on", "original", "other", "our", "part", "parts", "previous", "previously", "program", "remain", "remainder",
    "remaining", "remains", "rest", "retained", "same", "section", "setup", "shown", "skip", "skipped", "snip",
    "snipped", "so", "some", "source", "statements", "stay", "stays", "still", "stuff", "that", "the", "there", "this",
    "to", "todo", "truncated", "unchanged", "unmodified", "untouched", "variables", "with", "was", "your"};

/// One of these makes a comment of vocabulary words a placeholder even without dots.
constexpr std::array<std::string_view, 43> telling{"unchanged", "unmodified", "untouched", "omitted", "elided", "snip",
    "snipped", "truncated", "existing code", "existing implementation", "existing logic", "existing body",
    "existing loop", "existing kernel", "existing function", "remaining code", "remaining implementation",
    "remaining functions", "original code", "original implementation", "previous code", "other code", "same as before",
    "same as above", "same as original", "same as the original", "as in the original", "identical to", "as before",
    "no change", "for brevity", "code here", "goes here", "everything else", "remains the same", "stays the same",
    "is the same", "as is", "code continues", "implementation here", "previous implementation", "no other change",
    "functions alone"};

/// With dots, one of these does.
constexpr std::array<std::string_view, 19> pointing{"rest", "remainder", "existing", "same", "remaining", "other",
    "previous", "original", "code", "here", "before", "above", "keep", "kept", "remain", "remains", "body", "etc",
    "implementation"};

/// "rest of the kernel" stands for code; "rest of the block" may be of the data.
constexpr std::array<std::string_view, 17> programParts{"code", "function", "functions", "kernel", "kernels", "file",
    "program", "implementation", "body", "class", "method", "methods", "logic", "source", "definitions", "declarations",
    "statements"};

/// "existing … code".
constexpr std::array<std::string_view, 5> beginnings{"existing", "original", "previous", "remaining", "rest"};
constexpr std::array<std::string_view, 4> endings{"code", "logic", "implementation", "body"};

/// Comments that say nothing else stand for code; the vague ones where no code follows them.
constexpr std::array<std::string_view, 2> alone{"etc", "and so on"};
constexpr std::array<std::string_view, 4> vague{"same", "see above", "as above", "like before"};

bool isOneOf(std::span<const std::string_view> list, std::string_view word)
{
    return std::ranges::find(list, word) != list.end();
}

bool hasRestOfProgram(const std::vector<std::string>& words)
{
    for (std::size_t i = 0; i + 2 < words.size(); ++i) {
        if ((words[i] != "rest" && words[i] != "remainder") || words[i + 1] != "of")
            continue;
        const std::size_t end = std::min(words.size(), i + 6);
        for (std::size_t k = i + 2; k < end; ++k)
            if (isOneOf(programParts, words[k]))
                return true;
    }
    return false;
}

bool beginsWithDots(std::string_view text)
{
    return text.starts_with("...") || text.starts_with("[...") || text.starts_with("(...");
}

bool dotsElide(std::string_view text, const std::vector<std::string>& words)
{
    const bool around = beginsWithDots(text);
    const bool says = around || saysLeftOut(words)
        || std::ranges::any_of(words, [](const std::string& word) { return isOneOf(pointing, word); });
    return (onlyPlaceholderWords(words) && says) || (around && (text.ends_with("...") || saysLeftOut(words)));
}

/// "[existing tile loading code]", but not the shape "[BLOCK_M, BLOCK_N]".
bool bracketsElide(std::string_view text, const std::vector<std::string>& words)
{
    return text.starts_with('[') && text.find(']') == text.size() - 1
        && text.find_first_of(",*:0123456789_=") == std::string_view::npos
        && (words.size() >= 3 || onlyPlaceholderWords(words));
}

bool saysSameAsBefore(const std::vector<std::string>& words)
{
    const std::string sentence = joined(words, " ");
    constexpr std::array<std::string_view, 5> ends{
        " as before", " as above", " as in the original", " as the original", " as in original"};
    return words.front() == "same"
        && std::ranges::any_of(ends, [&](std::string_view end) { return sentence.ends_with(end); });
}

/// "⋮" and its likes.
bool isVerticalDots(std::string_view text)
{
    return text == "\u22ee" || text == "\u2807" || text == "\u205d" || text == "\ufe19";
}

/// "---- 8< ----"
bool isScissors(std::string_view text, const std::vector<std::string>& words)
{
    return words.size() == 1 && words.front() == "8" && text.find_first_not_of("-=8<>%~ ") == std::string_view::npos
        && (text.find("8<") != std::string_view::npos || text.find(">8") != std::string_view::npos);
}

/// ".. rest .."
bool isBetweenTwoDots(std::string_view text) { return text.starts_with("..") && text.ends_with(".."); }

} // namespace

std::vector<std::string> wordsOf(std::string_view text)
{
    std::vector<std::string> words;
    bool open = false;
    for (const char c : lowered(text)) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '\'';
        if (letter && !open)
            words.emplace_back();
        if (letter)
            words.back() += c;
        open = letter;
    }
    return words;
}

bool onlyPlaceholderWords(const std::vector<std::string>& words)
{
    return std::ranges::all_of(words, [](const std::string& word) { return isOneOf(vocabulary, word); });
}

bool saysLeftOut(const std::vector<std::string>& words)
{
    const std::string sentence = " " + joined(words, " ") + " ";
    return hasRestOfProgram(words) || std::ranges::any_of(telling, [&](std::string_view phrase) {
        return sentence.find(" " + std::string(phrase)) != std::string::npos;
    });
}

bool hasDots(std::string_view text) { return text.find("...") != std::string_view::npos; }

bool saysRestUnchanged(const std::vector<std::string>& words)
{
    constexpr std::array<std::string_view, 2> parts{"rest", "remainder"};
    constexpr std::array<std::string_view, 5> verbs{"is", "stays", "remains", "was", "left"};
    constexpr std::array<std::string_view, 6> ends{
        "unchanged", "unmodified", "untouched", "omitted", "identical", "elided"};
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        const std::size_t end = i + 2 < words.size() && isOneOf(verbs, words[i + 1]) ? i + 2 : i + 1;
        if (isOneOf(parts, words[i]) && isOneOf(ends, words[end]))
            return true;
    }
    return false;
}

Elides commentElides(std::string_view comment)
{
    comment.remove_prefix(std::min(comment.find_first_not_of("/!*-# \t"), comment.size()));
    const std::string_view text = trimmed(comment);
    const std::vector<std::string> words = wordsOf(text);
    if (words.empty())
        return hasDots(text) || isVerticalDots(text) ? Elides::Yes : Elides::No;
    if (isScissors(text, words))
        return Elides::Yes;
    const bool isNamed = isOneOf(beginnings, words.front()) && isOneOf(endings, words.back()) && words.size() <= 8;
    const bool onlyThese = onlyPlaceholderWords(words);
    if (beginsWithDots(text) || bracketsElide(text, words) || (hasDots(text) && dotsElide(text, words)) || isNamed
        || saysRestUnchanged(words)
        || (onlyThese && (saysLeftOut(words) || isOneOf(alone, joined(words, " ")) || isBetweenTwoDots(text))))
        return Elides::Yes;
    const std::string sentence = joined(words, " ");
    const bool restOfLoop = sentence == "rest of loop" || sentence == "rest of the loop";
    return saysSameAsBefore(words) || restOfLoop || isOneOf(vague, sentence) ? Elides::Perhaps : Elides::No;
}

bool innerCommentElides(std::string_view comment)
{
    const std::vector<std::string> words = wordsOf(comment);
    if (words.empty())
        return hasDots(comment);
    return hasDots(comment) ? dotsElide(trimmed(comment), words) : onlyPlaceholderWords(words) && saysLeftOut(words);
}

} // namespace tilewright::patch
