// SPDX-License-Identifier: Apache-2.0
// What a GPU candidate's text may not include. Pure.
#include "core/node/cuda_toolkit.h"

#include "core/base/text.h"

#include <algorithm>
#include <cctype>

namespace tilewright {
namespace {

constexpr const char* contractHeader = "tilewright/plan.h";

bool isWordCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$'; }

/// Lines that end in a backslash joined to the next.
std::string joinedLines(std::string_view source)
{
    std::string joined;
    for (std::size_t i = 0; i < source.size(); ++i) {
        std::size_t next = i + 1;
        while (source[i] == '\\' && next < source.size() && (source[next] == ' ' || source[next] == '\t'))
            ++next;
        if (source[i] == '\\' && next < source.size() && source[next] == '\n')
            i = next;
        else
            joined += source[i];
    }
    return joined;
}

/// Where the literal that begins at `at` ends (one past), as compilers see it: a line's end ends all but raw ones.
std::size_t endOfLiteral(std::string_view text, std::size_t at)
{
    const bool raw = text[at] == '"' && at > 0 && text[at - 1] == 'R';
    if (raw) {
        const std::size_t open = text.find('(', at);
        if (open == std::string_view::npos || open - at > 17)
            return at + 1;
        const std::string close = ")" + std::string(text.substr(at + 1, open - at - 1)) + "\"";
        const std::size_t end = text.find(close, open);
        return end == std::string_view::npos ? text.size() : end + close.size();
    }
    const char quote = text[at];
    for (std::size_t i = at + 1; i < text.size(); ++i) {
        if (text[i] == quote)
            return i + 1;
        if (text[i] == '\n')
            return i;
        if (text[i] == '\\')
            ++i;
    }
    return text.size();
}

/// As a compiler reads it: lines joined, comments blank, what stands in literals on one line.
std::string spliced(std::string_view source)
{
    const std::string joined = joinedLines(source);
    const std::string_view all = joined;
    std::string text;
    bool inNumber = false; // 1'000'000 holds no character
    for (std::size_t i = 0; i < all.size();) {
        if (all.substr(i, 2) == "//") {
            i = std::min(all.size(), all.find('\n', i));
        } else if (all.substr(i, 2) == "/*") {
            const std::size_t end = all.find("*/", i + 2);
            text += ' ';
            i = end == std::string_view::npos ? all.size() : end + 2;
        } else if (all[i] == '"' || (all[i] == '\'' && !inNumber)) {
            const std::size_t end = endOfLiteral(all, i);
            for (; i < end; ++i)
                text += all[i] == '\n' ? ' ' : all[i];
        } else {
            const bool word = isWordCharacter(all[i]);
            const bool begins = text.empty() || !isWordCharacter(text.back());
            inNumber = word ? (begins && !inNumber ? std::isdigit(static_cast<unsigned char>(all[i])) != 0 : inNumber)
                            : inNumber && all[i] == '\'';
            text += all[i++];
        }
    }
    return text;
}

std::string_view directiveOf(std::string_view line)
{
    line = trimmed(line);
    for (const std::string_view mark : {"#", "%:", "?\?="})
        if (line.starts_with(mark))
            return trimmed(line.substr(mark.size()));
    return {};
}

std::string_view firstWord(std::string_view text)
{
    std::size_t end = 0;
    while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_'))
        ++end;
    return text.substr(0, end);
}

std::string operandName(std::string_view operand)
{
    operand = trimmed(operand);
    if (operand.size() < 3 || (operand.front() != '<' && operand.front() != '"'))
        return {};
    const char close = operand.front() == '<' ? '>' : '"';
    return operand.back() == close ? std::string(operand.substr(1, operand.size() - 2)) : std::string();
}

} // namespace

std::string forbiddenInclude(std::string_view source)
{
    const std::string text = spliced(source);
    if (text.find("__has_include") != std::string::npos || text.find("__has_embed") != std::string::npos)
        return "__has_include";
    for (const std::string_view line : splitLines(text)) {
        const std::string_view directive = directiveOf(line), word = firstWord(directive);
        if (word == "embed" || word == "import" || word == "include_next")
            return std::string(trimmed(line));
        if (word != "include")
            continue;
        const std::string name = operandName(directive.substr(word.size()));
        if (name != contractHeader && !allowedHeaders().contains(name))
            return std::string(trimmed(line));
    }
    return {};
}

bool includesHeaders(std::string_view source)
{
    const std::string text = spliced(source);
    for (const std::string_view line : splitLines(text)) {
        const std::string_view directive = directiveOf(line), word = firstWord(directive);
        if (word == "include" && allowedHeaders().contains(operandName(directive.substr(word.size()))))
            return true;
    }
    return false;
}

std::string missingHeader(std::string_view log)
{
    constexpr std::string_view words = "could not open source file \"";
    const std::size_t at = log.find(words);
    if (at == std::string_view::npos)
        return {};
    const std::string_view rest = log.substr(at + words.size());
    return std::string(rest.substr(0, rest.find('"')));
}

} // namespace tilewright
