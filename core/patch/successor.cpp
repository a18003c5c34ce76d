// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/successor.h"

#include "core/base/text.h"
#include "core/patch/dropped_lines.h"
#include "core/patch/hunk.h"
#include "core/patch/plain_code.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>

namespace tilewright::patch {
namespace {

using Tokens = std::vector<std::string_view>;

bool isName(std::string_view token) { return !token.empty() && beginsWord(token[0]); }

bool isIn(std::span<const std::string_view> list, std::string_view token)
{
    return std::ranges::find(list, token) != list.end();
}

std::size_t lengthOfToken(std::string_view text)
{
    constexpr std::array<std::string_view, 25> signs{"...",
        "<<=", ">>=", "==", "<=", ">=", "!=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "->", "::", "++", "--",
        "&&", "||", "<<", ">>", ":=", "**"};
    if (isWordCharacter(text[0])) {
        std::size_t end = 1;
        const auto goesOn = [&](std::size_t at) {
            const bool isDigits = !beginsWord(text[0]) && (text[at] == '.' || text[at] == '\'');
            return isWordCharacter(text[at]) || (isDigits && at + 1 < text.size() && isWordCharacter(text[at + 1]));
        };
        while (end < text.size() && goesOn(end))
            ++end;
        return end;
    }
    if (text[0] == '"' || text[0] == '\'') {
        std::size_t end = 1;
        while (end < text.size() && text[end] != text[0])
            end += text[end] == '\\' ? 2 : 1;
        return std::min(end + 1, text.size());
    }
    for (const std::string_view sign : signs)
        if (text.starts_with(sign))
            return sign.size();
    return 1;
}

/// The line's code; a comment behind it left out.
Tokens tokensOf(std::string_view line, Comments comments)
{
    Tokens tokens;
    for (std::size_t at = 0; at < line.size();) {
        if (line[at] == ' ' || line[at] == '\t') {
            ++at;
            continue;
        }
        const std::string_view rest = line.substr(at);
        const bool directive = tokens.empty() && comments == Comments::Slashes;
        if (comments == Comments::Slashes ? rest.starts_with("//") : (rest[0] == '#' && !directive))
            break;
        tokens.push_back(rest.substr(0, lengthOfToken(rest)));
        at += tokens.back().size();
    }
    return tokens;
}

int depthChange(std::string_view token)
{
    const bool opens = token == "(" || token == "[" || token == "{",
               closes = token == ")" || token == "]" || token == "}";
    return opens ? 1 : closes ? -1 : 0;
}

int openIn(const Tokens& tokens)
{
    int depth = 0;
    for (const std::string_view token : tokens)
        depth += depthChange(token);
    return depth;
}

/// "const int r = i / COLS;" as {"const int r", "=", "i / COLS;"}, in tokens; no operator where the line sets nothing.
struct Setting {
    Tokens target, value;
    std::string_view sign, name; ///< name: what is set, without type and subscripts
};

Setting settingOf(const Tokens& tokens)
{
    constexpr std::array<std::string_view, 11> signs{"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
    Setting setting;
    int depth = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const std::string_view token = tokens[i];
        // "out[n++] = a" sets another place each time, "f(x) = a" may do so.
        if (token == "++" || token == "--" || token == "(" || token == "{" || token == ";")
            return {};
        if (depth == 0 && isIn(signs, token)) {
            setting.target.assign(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(i));
            setting.value.assign(tokens.begin() + static_cast<std::ptrdiff_t>(i + 1), tokens.end());
            setting.sign = setting.name.empty() ? std::string_view() : token;
            return setting;
        }
        if (depth == 0 && isName(token))
            setting.name = token;
        depth += depthChange(token);
    }
    return {};
}

constexpr std::array<std::string_view, 35> noTypes{"return", "else", "case", "goto", "delete", "throw", "using",
    "typedef", "if", "for", "while", "switch", "do", "new", "co_return", "co_yield", "template", "struct", "class",
    "enum", "union", "namespace", "public", "private", "friend", "operator", "asm", "typename", "elif", "def", "import",
    "from", "with", "not", "in"};
constexpr std::array<std::string_view, 12> builtIns{
    "int", "float", "double", "char", "bool", "long", "short", "unsigned", "auto", "void", "const", "signed"};

/// "grid(CEIL_DIV(N, BN), 1);" makes a variable, "f(int a, float b);" declares a function.
bool makesVariable(const Tokens& tokens, std::size_t open)
{
    if (tokens.back() != ";" || open + 1 >= tokens.size() || tokens[open + 1] == ")")
        return false;
    for (std::size_t i = open + 1; i < tokens.size(); ++i)
        if (isIn(builtIns, tokens[i]) || (isName(tokens[i]) && isName(tokens[i - 1]))
            || (isName(tokens[i]) && (tokens[i - 1] == "&" || tokens[i - 1] == "*") && i >= 2 && isName(tokens[i - 2])))
            return false;
    return true;
}

/// The variable that a line of C++ declares; "" where it declares none.
std::string_view declaredName(const Tokens& tokens)
{
    if (tokens.empty() || !isName(tokens[0]) || isIn(noTypes, tokens[0]))
        return {};
    std::string_view last;
    std::size_t names = 0, angles = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const std::string_view token = tokens[i];
        if (token == "<" || token == ">" || token == ">>") {
            angles += token == "<" ? 1 : 0;
            angles -= std::min<std::size_t>(angles, token == "<" ? 0 : token.size());
            continue;
        }
        if (angles > 0)
            continue;
        if (isName(token)) {
            // "__launch_bounds__(256)" and the like are no names; a name behind "::" is part of a type.
            names += i == 0 || tokens[i - 1] != "::";
            last = token;
            continue;
        }
        if (token == "::" || token == "*" || token == "&" || token == "&&")
            continue;
        const bool ends = token == "[" || token == "=" || token == ";" || token == "{" || token == ","
            || (token == "(" && makesVariable(tokens, i));
        return ends && names >= 2 && (i == 0 || isName(tokens[i - 1])) ? last : std::string_view();
    }
    return {};
}

bool isSameBag(Tokens a, Tokens b)
{
    std::ranges::sort(a);
    std::ranges::sort(b);
    return a == b;
}

/// "f(a, b);" and "f(a, b, c);".
bool hasMoreArguments(const Tokens& few, const Tokens& many)
{
    std::size_t end = few.size();
    while (end > 0 && (few[end - 1] == ";" || few[end - 1] == ")" || few[end - 1] == ":"))
        --end;
    return end > 1 && end < few.size() && many.size() > end && many[end] == ","
        && std::equal(few.begin(), few.begin() + static_cast<std::ptrdiff_t>(end), many.begin());
}

bool isVersionOf(const Tokens& old, const Tokens& fresh)
{
    return isSameBag(old, fresh) || hasMoreArguments(old, fresh) || hasMoreArguments(fresh, old);
}

bool setsAgain(const Tokens& old, const Tokens& fresh)
{
    const Setting before = settingOf(old), after = settingOf(fresh);
    if (before.sign.empty() || before.sign != after.sign || before.target != after.target)
        return false;
    const bool reads = std::ranges::find(after.value, after.name) != after.value.end();
    return (after.sign == "=" && !reads) || isVersionOf(before.value, after.value);
}

bool isComment(std::string_view text, Comments comments)
{
    return comments == Comments::Hash ? text.starts_with('#')
                                      : text.starts_with("//") || text.starts_with("/*") || text.starts_with("* ");
}

/// Two comments that say the same in slightly other words, numbers left as they are.
bool saysTheSame(std::string_view a, std::string_view b)
{
    constexpr std::size_t shortest = 20;
    const auto digits = [](std::string_view text) {
        std::string all;
        std::ranges::copy_if(text, std::back_inserter(all), [](char c) { return c >= '0' && c <= '9'; });
        return all;
    };
    return std::min(a.size(), b.size()) >= shortest && digits(a) == digits(b) && likeness(a, b) >= 0.85;
}

/// "for (int i = 0; …)": i.
std::string_view loopVariable(const Tokens& tokens)
{
    std::string_view last;
    for (std::size_t i = 1; i < tokens.size() && tokens[i] != "=" && tokens[i] != ":" && tokens[i] != ";"; ++i)
        if (isName(tokens[i]))
            last = tokens[i];
    return last;
}

/// The name before the first bracket, where a type stands before it: "__global__ void f(" is f.
std::string_view signatureName(const Tokens& tokens)
{
    constexpr std::array<std::string_view, 6> ofTypes{"::", "*", "&", "<", ">", ","};
    std::size_t names = 0;
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        if (!isName(tokens[i]) && (i == 0 || !isIn(ofTypes, tokens[i])))
            return {};
        if (!isName(tokens[i]))
            continue;
        if (isIn(noTypes, tokens[i]))
            return {};
        if (tokens[i + 1] == "(" && tokens[i].starts_with("__")) { // an attribute with arguments
            while (i < tokens.size() && tokens[i] != ")")
                ++i;
            continue;
        }
        if (tokens[i + 1] == "(")
            return names > 0 ? tokens[i] : std::string_view();
        ++names;
    }
    return {};
}

bool opensAgain(const Tokens& old, const Tokens& fresh, double like, Comments comments)
{
    constexpr std::array<std::string_view, 4> control{"if", "while", "switch", "else"};
    constexpr std::array<std::string_view, 9> binary{"&&", "||", "?", ",", "==", "%", "^", "/", "|"};
    if (comments == Comments::Hash) // a head without a body
        return old.back() == ":" && isName(old[0]) && fresh.back() == ":" && isName(fresh[0]);
    const bool sameWord = old[0] == fresh[0];
    if (sameWord && (old[0] == "class" || old[0] == "struct") && isName(old.back()) && isName(fresh.back()))
        return true;
    // The same head, now with a body in braces; "&& c;" behind a statement that has ended.
    if (fresh.size() == old.size() + 1 && fresh.back() == "{" && std::equal(old.begin(), old.end(), fresh.begin()))
        return true;
    if (old.back() == ";" && isIn(binary, fresh[0]))
        return true;
    if (old.back() == "{" && fresh.back() == "{" && old.size() > 1)
        return old[0] != "namespace" && old[0] != "extern" && (sameWord || like >= 0.5);
    if (old.back() != ")" || fresh.back() != ")")
        return false;
    if (sameWord && old[0] == "for")
        return loopVariable(old) == loopVariable(fresh);
    if (sameWord && isIn(control, old[0]))
        return true;
    return !signatureName(old).empty() && !signatureName(fresh).empty();
}

bool directsAgain(const Tokens& old, const Tokens& fresh)
{
    if (old.size() < 3 || fresh.size() < 3 || old[0] != "#" || fresh[0] != "#" || old[1] != fresh[1]
        || old[2] != fresh[2])
        return false;
    return old[1] == "define" || (old[1] == "pragma" && old[2] == "unroll");
}

} // namespace

int openBrackets(std::string_view line, Comments comments) { return openIn(tokensOf(line, comments)); }

bool mentionsTarget(std::string_view line, std::string_view setting, Comments comments)
{
    const std::string_view name = settingOf(tokensOf(setting, comments)).name;
    const Tokens tokens = tokensOf(line, comments);
    return std::ranges::find(tokens, name) != tokens.end();
}

bool takesPlaceLater(std::string_view old, std::string_view fresh, Comments comments)
{
    if (indentOf(old) != indentOf(fresh) || trimmed(old) == trimmed(fresh))
        return false;
    const Tokens before = tokensOf(old, comments), after = tokensOf(fresh, comments);
    if (before.empty() || after.empty())
        return false;
    if (comments == Comments::Slashes) {
        const std::string_view name = declaredName(before);
        if ((!name.empty() && name == declaredName(after)) || directsAgain(before, after))
            return true;
    }
    return setsAgain(before, after);
}

bool takesPlace(std::string_view old, std::string_view fresh, Comments comments)
{
    const std::string_view a = trimmed(old), b = trimmed(fresh);
    if (indentOf(old) != indentOf(fresh) || a == b || a.empty() || b.empty())
        return false;
    if (isComment(a, comments) || isComment(b, comments))
        return isComment(a, comments) && isComment(b, comments) && saysTheSame(a, b);
    const Tokens before = tokensOf(old, comments), after = tokensOf(fresh, comments);
    if (before.empty() || after.empty() || std::ranges::none_of(before, isName))
        return false;
    if (before == after || takesPlaceLater(old, fresh, comments) || hasMoreArguments(before, after)
        || hasMoreArguments(after, before))
        return true;
    if (before[0] == "@" && after[0] == "@")
        return before.size() > 1 && after.size() > 1
            && std::equal(before.begin(), std::ranges::find(before, "("), after.begin(), std::ranges::find(after, "("));
    const double like = likeness(a, b);
    if (before[0] == "template" && after[0] == "template")
        return before.back() == ">" && after.back() == ">";
    if (openIn(before) != 0 && openIn(before) == openIn(after) && like >= 0.5 && before.back() != "{")
        return true;
    return opensAgain(before, after, like, comments);
}

bool leavesBlock(std::string_view line, Comments comments)
{
    constexpr std::array<std::string_view, 6> jumps{"return", "break", "continue", "throw", "raise", "goto"};
    const Tokens tokens = tokensOf(line, comments);
    if (tokens.empty() || !isIn(jumps, tokens[0]) || openIn(tokens) != 0)
        return false;
    return comments == Comments::Hash ? tokens.back() != "\\"
                                      : tokens.back() == ";" && std::ranges::find(tokens, "}") == tokens.end();
}

} // namespace tilewright::patch
