// SPDX-License-Identifier: Apache-2.0
#include "core/node/ptx_rules.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace tilewright {
namespace {

using namespace std::string_view_literals;

constexpr std::array opcodes{"createpolicy"sv, "applypriority"sv, "discard"sv, "nanosleep"sv};
constexpr std::array qualifiers{"evict_last"sv, "cache_hint"sv}; // of L1:: and L2::
constexpr std::array timers{"%globaltimer"sv, "%globaltimer_lo"sv, "%globaltimer_hi"sv};
constexpr std::array stores{"st"sv, "atom"sv, "red"sv, "cp"sv, "multimem"sv};

bool isWordCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%'; }

bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

struct PlainText {
    std::string text; ///< comments, literals and all white space blank
    std::string oddLiteral; ///< whose end a reader and ptxas may not agree on
};

PlainText plainTextOf(std::string_view ptx)
{
    PlainText plain;
    for (std::size_t i = 0; i < ptx.size();) {
        std::size_t end = i + 1;
        if (ptx.substr(i, 2) == "//") {
            end = std::min(ptx.size(), ptx.find('\n', i));
        } else if (ptx.substr(i, 2) == "/*") {
            end = ptx.find("*/", i + 2);
            end = end == std::string_view::npos ? ptx.size() : end + 2;
        } else if (ptx[i] == '"') {
            end = ptx.find('"', i + 1);
            end = end == std::string_view::npos ? ptx.size() : end + 1;
            const std::string_view literal = ptx.substr(i, end - i);
            for (const std::string_view mark : {"\\"sv, "//"sv, "/*"sv, "\n"sv})
                if (plain.oddLiteral.empty() && literal.find(mark) != std::string_view::npos)
                    plain.oddLiteral = literal;
        } else {
            plain.text += std::isspace(static_cast<unsigned char>(ptx[i])) ? ' ' : ptx[i];
            i = end;
            continue;
        }
        plain.text += ' ';
        i = end;
    }
    return plain;
}

std::vector<std::string_view> statementsOf(std::string_view plain)
{
    std::vector<std::string_view> statements;
    for (std::size_t at = 0; at < plain.size();) {
        const std::size_t end = std::min(plain.find_first_of(";{}", at), plain.size());
        if (const std::string_view statement = trimmed(plain.substr(at, end - at)); !statement.empty())
            statements.push_back(statement);
        at = end + 1;
    }
    return statements;
}

std::vector<std::string_view> wordsOf(std::string_view statement)
{
    std::vector<std::string_view> words;
    for (std::size_t at = 0; at < statement.size();) {
        std::size_t end = at;
        while (end < statement.size() && isWordCharacter(statement[end]))
            ++end;
        if (end > at)
            words.push_back(statement.substr(at, end - at));
        at = std::max(end, at + 1);
    }
    return words;
}

/// ptxas reads "5nanosleep" as a number and a name.
bool says(std::string_view word, std::string_view name)
{
    return word == name || (isDigit(word.front()) && word.ends_with(name));
}

template <std::size_t count> bool saysOneOf(std::string_view word, const std::array<std::string_view, count>& names)
{
    return std::ranges::any_of(names, [&](std::string_view name) { return says(word, name); });
}

bool declaresAFunction(std::string_view before) { return before == "entry" || before == "func"; }

/// "$__calls__43", as ptxas names what a function's inline assembly declares, is "calls" there.
std::string_view nameInPtx(std::string_view symbol)
{
    const std::size_t end = symbol.rfind("__");
    if (!symbol.starts_with("$__") || end == std::string_view::npos || end <= 3
        || !std::ranges::all_of(symbol.substr(end + 2), isDigit))
        return symbol;
    return symbol.substr(3, end - 3);
}

} // namespace

std::string forbiddenInstruction(std::string_view ptx)
{
    const PlainText plain = plainTextOf(ptx);
    if (!plain.oddLiteral.empty())
        return plain.oddLiteral;
    for (const std::string_view statement : statementsOf(plain.text)) {
        std::string_view before;
        for (const std::string_view word : wordsOf(statement)) {
            if ((saysOneOf(word, opcodes) && !declaresAFunction(before)) || saysOneOf(word, qualifiers)
                || saysOneOf(word, timers))
                return std::string(statement);
            before = word;
        }
    }
    return {};
}

ModuleVariables moduleVariables(std::string_view ptx, const std::vector<CubinVariable>& variables)
{
    struct Mention {
        std::string_view name;
        int count = 0;
        bool isStored = false;
    };
    std::vector<Mention> mentions;
    for (const CubinVariable& variable : variables)
        mentions.push_back({nameInPtx(variable.name)});
    if (mentions.empty())
        return {}; // as most programs
    const PlainText plain = plainTextOf(ptx);
    for (const std::string_view statement : statementsOf(plain.text)) {
        const std::vector<std::string_view> words = wordsOf(statement);
        const bool isStore = std::ranges::any_of(words, [](std::string_view word) { return saysOneOf(word, stores); });
        for (Mention& one : mentions) {
            const auto count
                = std::ranges::count_if(words, [&](std::string_view word) { return says(word, one.name); });
            one.count += static_cast<int>(count);
            one.isStored = one.isStored || (isStore && count > 0);
        }
    }
    ModuleVariables found;
    for (std::size_t i = 0; i < variables.size(); ++i)
        if (mentions[i].count != 1)
            (mentions[i].isStored || !variables[i].isInitialised ? found.written : found.used)
                .push_back(variables[i].name);
    return found;
}

} // namespace tilewright
