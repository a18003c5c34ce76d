// SPDX-License-Identifier: GPL-3.0-or-later
// What a GPU candidate's text and PTX may not say. Pure.
#include "core/node/cuda_toolkit.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
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

/// PTX as statements, whatever lines they stand on: comments and literals blank, no braces, no labels, no predicates.
std::vector<std::string> statementsOf(std::string_view ptx)
{
    std::string text;
    for (std::size_t i = 0; i < ptx.size();) {
        if (ptx.substr(i, 2) == "//") {
            i = std::min(ptx.size(), ptx.find('\n', i));
        } else if (ptx.substr(i, 2) == "/*") {
            const std::size_t end = ptx.find("*/", i + 2);
            i = end == std::string_view::npos ? ptx.size() : end + 2;
        } else if (ptx[i] == '"') {
            i = endOfLiteral(ptx, i);
        } else {
            text += ptx[i] == '\n' || ptx[i] == '\t' || ptx[i] == '\r' ? ' ' : ptx[i];
            ++i;
        }
    }
    std::vector<std::string> statements;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find_first_of(";{}", at), text.size());
        std::string_view statement = trimmed(std::string_view(text).substr(at, end - at));
        for (std::size_t colon = statement.find(':'); colon != std::string_view::npos && colon + 1 < statement.size()
             && statement[colon + 1] != ':' && std::ranges::all_of(statement.substr(0, colon), isWordCharacter);
             colon = statement.find(':'))
            statement = trimmed(statement.substr(colon + 1));
        if (statement.starts_with('@'))
            statement = trimmed(statement.substr(std::min(statement.size(), statement.find(' '))));
        if (!statement.empty())
            statements.emplace_back(statement);
        at = end + 1;
    }
    return statements;
}

bool namesSymbol(std::string_view text, std::string_view symbol)
{
    for (std::size_t at = text.find(symbol); at != std::string_view::npos; at = text.find(symbol, at + 1)) {
        const bool before = at > 0 && (isWordCharacter(text[at - 1]) || text[at - 1] == '%' || text[at - 1] == '.');
        const std::size_t end = at + symbol.size();
        if (!before && (end == text.size() || !isWordCharacter(text[end])))
            return true;
    }
    return false;
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

std::string forbiddenInstruction(std::string_view ptx)
{
    static constexpr std::array<std::string_view, 4> opcodes{"createpolicy", "applypriority", "discard", "nanosleep"};
    for (const std::string& statement : statementsOf(ptx)) {
        const std::string_view opcode = std::string_view(statement).substr(0, statement.find(' '));
        const std::string_view base = opcode.substr(0, opcode.find('.'));
        if (std::ranges::find(opcodes, base) != opcodes.end() || opcode.find("evict_last") != std::string_view::npos
            || opcode.find("L2::cache_hint") != std::string_view::npos
            || statement.find("%globaltimer") != std::string::npos)
            return statement;
    }
    return {};
}

ModuleVariables moduleVariables(std::string_view ptx)
{
    struct Variable {
        std::string name;
        bool initialised = false;
        std::size_t statement = 0;
    };
    const std::vector<std::string> statements = statementsOf(ptx);
    std::vector<Variable> declared;
    for (std::size_t i = 0; i < statements.size(); ++i) {
        const std::string& statement = statements[i];
        if (!statement.starts_with('.') || (" " + statement).find(" .global ") == std::string::npos)
            continue;
        const std::string_view head
            = trimmedRight(std::string_view(statement).substr(0, statement.find_first_of("=[")));
        declared.push_back(
            {std::string(head.substr(head.find_last_of(' ') + 1)), statement.find('=') != std::string::npos, i});
    }
    ModuleVariables variables;
    for (std::size_t i = 0; i < statements.size(); ++i) {
        const std::string_view statement = statements[i];
        const bool stores = statement.starts_with("st.") || statement.starts_with("atom.")
            || statement.starts_with("red.") || statement.starts_with("cp.");
        for (const Variable& variable : declared)
            if (i != variable.statement && namesSymbol(statement, variable.name))
                (stores || !variable.initialised ? variables.written : variables.used).push_back(variable.name);
    }
    return variables;
}

} // namespace tilewright
