// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/elision.h"

#include "core/base/text.h"
#include "core/patch/folding.h"
#include "core/patch/reply_text.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace tilewright::patch {
namespace {

/// The words that placeholders are made of.
constexpr std::array<std::string_view, 107> vocabulary{"a", "above", "all", "and", "any", "as", "are", "before",
    "below", "block", "body", "brevity", "change", "changed", "changes", "class", "code", "continue", "continued",
    "continues", "declarations", "definitions", "elided", "else", "end", "etc", "everything", "exactly", "existing",
    "file", "follows", "for", "from", "function", "functions", "goes", "helper", "helpers", "here", "identical",
    "implementation", "in", "includes", "insert", "is", "it", "its", "keep", "kept", "kernel", "kernels", "lines",
    "line", "logic", "loop", "main", "method", "methods", "needed", "no", "not", "of", "omitted", "on", "original",
    "other", "our", "part", "parts", "previous", "previously", "program", "remain", "remainder", "remaining", "remains",
    "rest", "retained", "same", "section", "setup", "shown", "skip", "skipped", "snip", "snipped", "so", "some",
    "source", "statements", "stay", "stays", "still", "stuff", "that", "the", "there", "this", "to", "truncated",
    "unchanged", "unmodified", "untouched", "variables", "with", "was", "your"};

/// One of these makes a comment of vocabulary words a placeholder even without dots.
constexpr std::array<std::string_view, 38> telling{"unchanged", "unmodified", "untouched", "omitted", "elided", "snip",
    "snipped", "truncated", "rest of", "remainder of", "existing code", "existing implementation", "existing logic",
    "existing body", "existing loop", "existing kernel", "existing function", "remaining code", "remaining lines",
    "remaining implementation", "remaining functions", "original code", "original implementation", "previous code",
    "other code", "same as before", "same as above", "same as original", "same as the original", "as before",
    "no change", "for brevity", "code here", "goes here", "everything else", "remains the same", "stays the same",
    "is the same"};

/// With dots, one of these does.
constexpr std::array<std::string_view, 19> pointing{"rest", "remainder", "existing", "same", "remaining", "other",
    "previous", "original", "code", "here", "before", "above", "keep", "kept", "remain", "remains", "body", "etc",
    "implementation"};

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

bool onlyVocabulary(const std::vector<std::string>& words)
{
    return std::ranges::all_of(
        words, [](const std::string& word) { return std::ranges::find(vocabulary, word) != vocabulary.end(); });
}

bool hasTelling(const std::vector<std::string>& words)
{
    const std::string sentence = " " + joined(words, " ") + " ";
    return std::ranges::any_of(telling,
        [&](std::string_view phrase) { return sentence.find(" " + std::string(phrase)) != std::string::npos; });
}

bool hasDots(std::string_view text) { return text.find("...") != std::string_view::npos; }

/// Text of a comment (folded, without its signs): does it stand for code?
bool commentElides(std::string_view comment)
{
    const std::vector<std::string> words = wordsOf(comment);
    if (words.empty())
        return hasDots(comment);
    if (hasDots(comment)) {
        const std::string_view text = trimmed(comment);
        const bool around = text.starts_with("...") || text.starts_with("[...") || text.starts_with("(...");
        const bool says = around || hasTelling(words) || std::ranges::any_of(words, [](const std::string& word) {
            return std::ranges::find(pointing, word) != pointing.end();
        });
        return (onlyVocabulary(words) && says) || (around && (text.ends_with("...") || hasTelling(words)));
    }
    return onlyVocabulary(words) && hasTelling(words);
}

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

} // namespace

bool isPlaceholder(std::string_view line)
{
    const std::string text = folded(trimmed(line));
    if (text == ".." || (onlyDots(text) && text != "(...)" && text != "{...}"))
        return true;
    if (const std::string_view comment = commentOnly(text); !comment.empty())
        return commentElides(comment);
    // "... rest of the code ...", "[rest unchanged]", "<... existing code ...>"
    const bool dotted = text.starts_with("...") || text.ends_with("...");
    const bool bracketed
        = (text.starts_with('[') && text.ends_with(']')) || (text.starts_with('<') && text.ends_with('>'));
    const std::vector<std::string> words = wordsOf(text);
    return (dotted || bracketed) && !words.empty() && onlyVocabulary(words)
        && (hasTelling(words) || text.starts_with("...")) && text.find_first_of(";=\"") == std::string::npos;
}

bool elidesCode(std::string_view line, std::string_view previous)
{
    const std::string text = folded(trimmed(line));
    if (text == "..." && trimmedRight(previous).ends_with(':'))
        return false;
    if (isPlaceholder(line))
        return true;
    // "{ ... }" and "for (…) { ... }": no language of ours has dots alone between braces.
    for (std::size_t open = text.find('{'); open != std::string::npos; open = text.find('{', open + 1)) {
        const std::size_t close = text.find('}', open);
        if (close != std::string::npos && onlyDots(text.substr(open + 1, close - open - 1))
            && text.find_first_of("\"'") == std::string::npos)
            return true;
    }
    for (std::size_t open = text.find("/*"); open != std::string::npos; open = text.find("/*", open + 2)) {
        const std::size_t close = text.find("*/", open + 2);
        if (close != std::string::npos && commentElides(text.substr(open + 2, close - open - 2)))
            return true;
    }
    const std::size_t trailing = text.find("//");
    if (trailing == std::string::npos || trailing == 0 || text.substr(0, trailing).find('"') != std::string::npos)
        return false;
    const std::string comment = text.substr(trailing + 2);
    const std::string_view code = trimmedRight(std::string_view(text).substr(0, trailing));
    return hasDots(comment) && commentElides(comment) && (!code.ends_with(';') || !wordsOf(comment).empty());
}

bool looksLikeProse(std::string_view line)
{
    const std::string_view text = trimmed(line);
    if (text.empty() || text.find_first_of(";{}=<>[]\\") != std::string_view::npos)
        return false;
    if (text.starts_with("//") || text.starts_with("/*") || text.starts_with("*/") || text.starts_with("# "))
        return false;
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
