// SPDX-License-Identifier: Apache-2.0
#include "core/source/size_constants.h"

#include "core/source/text_scan.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <string>

namespace tilewright {
namespace {

constexpr std::int64_t largestModulus = 4096;
constexpr std::size_t mostOfAKind = 256; ///< a generated table of numbers says nothing about sizes
constexpr std::size_t besideTokens = 6;
constexpr std::int64_t largestValue = 1 << 24; ///< that a size is tried at

struct Token {
    std::string_view text;
    std::optional<std::int64_t> value; ///< of a whole number
};

/// "0x20", "1'024u"; nothing for a number with a point or an exponent.
std::optional<std::int64_t> wholeNumber(std::string_view text)
{
    std::string digits;
    std::copy_if(text.begin(), text.end(), std::back_inserter(digits), [](char c) { return c != '\''; });
    while (!digits.empty() && std::string_view("uUlLzZ").find(digits.back()) != std::string_view::npos)
        digits.pop_back();
    const bool isHex = digits.starts_with("0x") || digits.starts_with("0X");
    const bool isBinary = digits.starts_with("0b") || digits.starts_with("0B");
    const std::size_t from = isHex || isBinary ? 2 : 0;
    std::int64_t value = 0;
    const auto [end, problem] = std::from_chars(digits.data() + from, digits.data() + digits.size(), value,
        isHex          ? 16
            : isBinary ? 2
                       : 10);
    if (problem != std::errc() || end != digits.data() + digits.size() || digits.size() == from)
        return {};
    return value;
}

std::vector<Token> tokensOf(std::string_view code)
{
    const auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    std::vector<Token> tokens;
    for (std::size_t at = 0; at < code.size();) {
        const char c = code[at];
        if (std::isspace(static_cast<unsigned char>(c)) || c == '(' || c == ')') { // brackets say nothing here
            ++at;
            continue;
        }
        std::size_t end = at + 1;
        if (c == '"' || c == '\'') {
            while (end < code.size() && code[end] != c)
                end += code[end] == '\\' ? 2 : 1;
            at = end + 1;
            continue;
        }
        if (isWord(c)) {
            const bool isNumber = std::isdigit(static_cast<unsigned char>(c));
            while (end < code.size() && (isWord(code[end]) || (isNumber && (code[end] == '\'' || code[end] == '.'))))
                ++end;
            const std::string_view text = code.substr(at, end - at);
            tokens.push_back({text, isNumber ? wholeNumber(text) : std::nullopt});
        } else {
            const std::string_view two = code.substr(at, 2);
            if (two == "==" || two == "!=" || two == "<=" || two == ">=" || two == "&&" || two == "||" || two == ">>"
                || two == "<<" || two == "%=" || two == "&=" || two == "/=")
                end = at + 2;
            tokens.push_back({code.substr(at, end - at), {}});
        }
        at = end;
    }
    return tokens;
}

template <typename T> void addOnce(std::vector<T>& list, const T& value)
{
    if (list.size() < mostOfAKind && std::ranges::find(list, value) == list.end())
        list.push_back(value);
}

bool isOrder(std::string_view text) { return text == "<" || text == ">" || text == "<=" || text == ">="; }

bool isComparison(std::string_view text) { return text == "==" || text == "!=" || isOrder(text); }

/// What sizes are divided by where this operator stands in front of the number.
std::optional<std::int64_t> modulusOf(std::string_view op, std::int64_t value)
{
    if (op == "&" || op == "&=")
        return (value & (value + 1)) == 0 ? value + 1 : std::optional<std::int64_t>();
    if (op == ">>" || op == "<<")
        return value < 13 ? std::int64_t(1) << value : std::optional<std::int64_t>();
    return value;
}

/// Values of the three kinds in this order; the first kind without what is compared with a remainder.
std::vector<std::int64_t> valuesOf(const std::vector<Token>& tokens)
{
    std::vector<std::int64_t> equal, ordered, others;
    const auto textAt = [&](std::size_t at) { return at < tokens.size() ? tokens[at].text : std::string_view(); };
    const auto isEquality = [](std::string_view text) { return text == "==" || text == "!=" || text == "case"; };
    const auto divides = [](std::string_view text) { return text == "%" || text == "&"; };
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (!tokens[i].value || *tokens[i].value < 1 || *tokens[i].value > largestValue)
            continue;
        const std::int64_t value = *tokens[i].value;
        const std::string_view before = i > 0 ? tokens[i - 1].text : std::string_view(), behind = textAt(i + 1);
        const bool isOfRemainder
            = divides(before) || (isEquality(before) ? i >= 3 && divides(tokens[i - 3].text) : divides(textAt(i + 3)));
        if ((isEquality(before) || isEquality(behind)) && !isOfRemainder)
            addOnce(equal, value);
        else if (isOrder(before) || isOrder(behind))
            for (const std::int64_t near : {value, value + 1, value - 1})
                addOnce(ordered, near);
        else
            addOnce(others, value);
    }
    for (const auto* list : {&ordered, &others})
        for (const std::int64_t value : *list)
            addOnce(equal, value);
    return equal;
}

} // namespace

SizeConstants sizeConstants(std::string_view source)
{
    std::string code;
    for (const ScannedLine& line : scanLines(source))
        code += line.code + '\n';
    const std::vector<Token> tokens = tokensOf(code);
    SizeConstants found;
    found.values = valuesOf(tokens);
    const auto textAt = [&](std::size_t at) { return at < tokens.size() ? tokens[at].text : std::string_view(); };
    const auto valueAt = [&](std::size_t at) { return at < tokens.size() ? tokens[at].value : std::nullopt; };
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (!tokens[i].value)
            continue;
        const std::int64_t value = *tokens[i].value;
        const std::string_view before = i > 0 ? tokens[i - 1].text : std::string_view();
        if (value > 1 && (isOrder(before) || isOrder(textAt(i + 1))))
            addOnce(found.limits, value);
        const auto modulus = modulusOf(before, value);
        if (!modulus || *modulus < 2 || *modulus > largestModulus)
            continue;
        const bool divides = before == "%" || before == "&" || before == "%=" || before == "&=";
        if (divides && isComparison(textAt(i + 1)))
            if (const auto residue = valueAt(i + 2); residue && *residue < *modulus)
                addOnce(found.compared, {*modulus, *residue});
        for (std::size_t j = i + 2; divides && isComparison(textAt(i + 1)) && j <= i + 1 + besideTokens; ++j)
            if (textAt(j) == before && valueAt(j + 1) == value)
                addOnce(found.shared, *modulus);
        if (divides && i >= 4 && isComparison(tokens[i - 3].text)) // "41 == n % 96"
            if (const auto residue = tokens[i - 4].value; residue && *residue < *modulus)
                addOnce(found.compared, {*modulus, *residue});
        for (const std::int64_t residue : {std::int64_t(0), std::int64_t(1), *modulus - 1})
            addOnce(found.near, {*modulus, residue});
        for (std::size_t j = i - std::min(i, besideTokens); j <= i + besideTokens; ++j)
            if (const auto residue = valueAt(j); residue && j != i && *residue < *modulus)
                addOnce(found.near, {*modulus, *residue});
    }
    return found;
}

} // namespace tilewright
