// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/source/program_form.h"

#include "core/base/text.h"
#include "core/source/program_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <vector>

namespace tilewright {
namespace {

bool isNameChar(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; }
bool beginsName(char c) { return c == '_' || std::isalpha(static_cast<unsigned char>(c)) != 0; }

/// Names, numbers and single other characters; the line end in front of a directive and behind it is a token as well.
std::vector<std::string_view> formTokens(std::string_view text)
{
    std::vector<std::string_view> tokens;
    for (const std::string_view line : splitLines(text)) {
        const bool isDirective = trimmed(line).starts_with('#');
        if (isDirective)
            tokens.emplace_back("\n");
        for (std::size_t at = 0; at < line.size();) {
            std::size_t end = at + 1;
            if (isNameChar(line[at]))
                while (end < line.size() && isNameChar(line[end]))
                    ++end;
            if (std::isspace(static_cast<unsigned char>(line[at])) == 0)
                tokens.push_back(line.substr(at, end - at));
            at = end;
        }
        if (isDirective)
            tokens.emplace_back("\n");
    }
    return tokens;
}

constexpr std::array notTypes = std::to_array<std::string_view>({"return", "else", "case", "goto", "new", "delete",
    "throw", "sizeof", "alignof", "do", "operator", "if", "ifdef", "ifndef", "elif", "include", "pragma", "not"});
constexpr std::array types = std::to_array<std::string_view>({"void", "bool", "char", "short", "int", "long", "float",
    "double", "signed", "unsigned", "auto", "const", "constexpr"});

/// Names that stand behind a type: "float sum", "const float* row", "struct Panel". What only stands behind an
/// operator is not one: "a * sinf(b)".
std::set<std::string_view> declaredNames(const std::vector<std::string_view>& tokens)
{
    std::set<std::string_view> names;
    const auto isType = [&](std::string_view token) {
        return std::ranges::find(types, token) != types.end() || names.contains(token);
    };
    const auto isDeclared = [&](std::size_t i) {
        const std::string_view before = tokens[i - 1];
        if (beginsName(before.front()))
            return std::ranges::find(notTypes, before) == notTypes.end();
        return (before == "*" || before == "&") && i >= 2 && isType(tokens[i - 2]) && (i < 3 || tokens[i - 3] != "=");
    };
    for (std::size_t i = 1; i < tokens.size(); ++i)
        if (beginsName(tokens[i].front()) && std::ranges::find(types, tokens[i]) == types.end() && isDeclared(i))
            names.insert(tokens[i]);
    return names;
}

/// The name of the function whose head or whole text the line is; "" for another line.
std::string_view functionOf(std::string_view line)
{
    const std::size_t open = line.find('(');
    if (line.empty() || !beginsName(line.front()) || open == std::string_view::npos || trimmedRight(line).ends_with(';')
        || line.substr(0, open).find('=') != std::string_view::npos)
        return {};
    std::size_t begin = open;
    while (begin > 0 && isNameChar(line[begin - 1]))
        --begin;
    return line.substr(begin, open - begin);
}

} // namespace

Hash formOf(std::string_view text)
{
    const std::string program = normalised(text);
    const std::vector<std::string_view> tokens = formTokens(program);
    const std::set<std::string_view> declared = declaredNames(tokens);
    std::map<std::string_view, std::size_t> numbers;
    std::string form;
    for (const std::string_view token : tokens) {
        if (declared.contains(token))
            form += "$" + std::to_string(numbers.try_emplace(token, numbers.size()).first->second);
        else
            form += token;
        form += ' ';
    }
    return sha256(form);
}

std::string withoutUncalledFunctions(std::string_view text)
{
    const std::string program = normalised(text);
    std::map<std::string_view, int> uses;
    for (const std::string_view token : formTokens(program))
        ++uses[token];
    std::string kept;
    bool isUncalled = false;
    for (const std::string_view line : splitLines(program)) {
        const std::string_view name = isUncalled ? std::string_view() : functionOf(line);
        isUncalled |= !name.empty() && !name.starts_with("tilewright_") && uses[name] == 1;
        if (!isUncalled)
            kept.append(line) += '\n';
        const bool ends = line.starts_with('}') || (!name.empty() && trimmedRight(line).ends_with('}'));
        isUncalled &= !ends;
    }
    return kept;
}

} // namespace tilewright
