// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/folding.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <functional>

namespace tilewright::patch {
namespace {

struct Character {
    char32_t code = 0;
    std::string_view bytes;
};

/// The character at the start of text; a byte that is no UTF-8 is a character of its own.
Character characterOf(std::string_view text)
{
    const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = at(0);
    const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 1;
    if (length == 1 || text.size() < length)
        return {lead, text.substr(0, 1)};
    char32_t code = lead & (0x7fu >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((at(i) & 0xc0) != 0x80)
            return {lead, text.substr(0, 1)};
        code = (code << 6) | (at(i) & 0x3fu);
    }
    return {code, text.substr(0, length)};
}

/// What a look-alike stands for; nothing for every other character.
std::optional<std::string_view> asciiOf(const Character& character)
{
    const char32_t c = character.code;
    if (character.bytes.size() < 2)
        return std::nullopt;
    if ((c >= 0x2018 && c <= 0x201b) || c == 0x2032 || c == 0x02bc || c == 0xff07)
        return "'";
    if ((c >= 0x201c && c <= 0x201f) || c == 0x2033 || c == 0xff02)
        return "\"";
    if ((c >= 0x2010 && c <= 0x2015) || c == 0x2212 || c == 0xfe58 || c == 0xfe63 || c == 0xff0d)
        return "-";
    if (c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x202f || c == 0x205f || c == 0x3000)
        return " ";
    if ((c >= 0x200b && c <= 0x200d) || c == 0x2060 || c == 0xfeff || c == 0xad)
        return "";
    if (c == 0x2026)
        return "...";
    return std::nullopt;
}

void appendUtf8(std::string& text, char32_t code)
{
    if (code < 0x80) {
        text += static_cast<char>(code);
        return;
    }
    const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    constexpr std::array<unsigned, 4> lead{0, 0xc0, 0xe0, 0xf0};
    text += static_cast<char>(lead[static_cast<std::size_t>(more)] | (code >> (6 * more)));
    for (int i = more - 1; i >= 0; --i)
        text += static_cast<char>(0x80 | ((code >> (6 * i)) & 0x3f));
}

/// The character of "&#60;" or "&#x3c;" (without & and ;); nothing if it is none.
std::optional<char32_t> numbered(std::string_view name)
{
    if (name.size() < 2 || name[0] != '#')
        return std::nullopt;
    const bool hex = name[1] == 'x' || name[1] == 'X';
    const std::string_view digits = name.substr(hex ? 2 : 1);
    std::uint32_t code = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), code, hex ? 16 : 10);
    const bool whole = problem == std::errc() && end == digits.data() + digits.size();
    if (!whole || code < 0x20 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        return std::nullopt;
    return code;
}

bool isWord(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'
        || static_cast<unsigned char>(c) >= 0x80;
}

/// Would these two, written together, be one token?
bool wouldJoin(char left, char right)
{
    if (isWord(left) && isWord(right))
        return true;
    constexpr std::array<std::string_view, 28> joined{"++", "--", "<<", ">=", "<=", "==", "!=", "&&", "||", "->",
        "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "::", "//", "/*", "*/", "##", ":=", "**", "..", "~=", "@="};
    for (const std::string_view pair : joined)
        if (pair[0] == left && pair[1] == right)
            return true;
    // A number and its sign or point: "1 .5", "a .b" stay apart from "1.5"; a string's prefix stays one.
    return (isWord(left) && (right == '"' || right == '\'')) || (left >= '0' && left <= '9' && right == '.')
        || (left == '.' && right >= '0' && right <= '9');
}

} // namespace

std::string folded(std::string_view text)
{
    if (std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; }))
        return std::string(text);
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const Character character = characterOf(text);
        result.append(asciiOf(character).value_or(character.bytes));
        text.remove_prefix(character.bytes.size());
    }
    return result;
}

std::string_view bodyOf(std::string_view text)
{
    while (!text.empty()) {
        const Character character = characterOf(text);
        const std::string_view plain = asciiOf(character).value_or(character.bytes);
        if (!plain.empty() && plain != " " && plain != "\t")
            break;
        text.remove_prefix(character.bytes.size());
    }
    return text;
}

namespace {

/// Text with something else in the place of each of its HTML escapes.
std::string withEscapes(
    std::string_view text, const std::function<void(std::string& to, std::string_view meaning)>& put)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 6> names{
        {{"lt", "<"}, {"gt", ">"}, {"amp", "&"}, {"quot", "\""}, {"apos", "'"}, {"nbsp", " "}}};
    std::string result;
    result.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t end = text[i] == '&' ? text.substr(0, i + 12).find(';', i) : std::string_view::npos;
        if (end == std::string_view::npos) {
            result += text[i++];
            continue;
        }
        const std::string_view name = text.substr(i + 1, end - i - 1);
        std::string meaning;
        for (const auto& [known, sign] : names)
            if (known == name)
                meaning = sign;
        if (const auto code = numbered(name))
            appendUtf8(meaning, *code);
        if (meaning.empty()) {
            result += text[i++];
            continue;
        }
        put(result, meaning);
        i = end + 1;
    }
    return result;
}

/// Where the body of "#define NAME body" begins, a blank behind its name: without the blank it would be another macro.
std::size_t bodyOfMacro(std::string_view text)
{
    constexpr auto none = std::string_view::npos;
    constexpr std::string_view blanks = " \t";
    const auto skip = [&](std::size_t at) { return std::min(text.find_first_not_of(blanks, at), text.size()); };
    std::size_t at = skip(0);
    if (at == text.size() || text[at] != '#')
        return none;
    at = skip(at + 1);
    if (!text.substr(at).starts_with("define"))
        return none;
    const std::size_t name = skip(at + 6);
    std::size_t end = name;
    while (end < text.size() && isWord(text[end]))
        ++end;
    return end > name && name > at + 6 && end < text.size() && blanks.find(text[end]) != none ? skip(end) : none;
}

} // namespace

std::string unescaped(std::string_view text)
{
    return withEscapes(text, [](std::string& to, std::string_view meaning) { to += meaning; });
}

std::string withoutEscapes(std::string_view text)
{
    return withEscapes(text, [](std::string&, std::string_view) {});
}

std::string escapedSigns(std::string_view text)
{
    std::string signs;
    withEscapes(text, [&](std::string&, std::string_view meaning) { signs += meaning.size() == 1 ? meaning : ""; });
    return signs;
}

std::string withoutBlanks(std::string_view text)
{
    const std::size_t afterMacro = bodyOfMacro(text);
    std::string result;
    result.reserve(text.size());
    char quote = 0;
    bool blank = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quote == 0 && (c == ' ' || c == '\t')) {
            blank = true;
            continue;
        }
        if (blank && !result.empty() && (i == afterMacro || wouldJoin(result.back(), c)))
            result += ' ';
        blank = false;
        result += c;
        if (quote != 0 && c == '\\' && i + 1 < text.size())
            result += text[++i];
        else if (quote != 0)
            quote = c == quote ? char(0) : quote;
        else if (c == '"' || c == '\'')
            quote = c;
    }
    return result;
}

bool Foldings::note(std::string_view character, std::string_view meaning)
{
    if (m_kept.contains(character))
        return false;
    const auto known = m_means.emplace(character, meaning);
    return known.second || known.first->second == meaning;
}

bool Foldings::learn(std::string_view written, std::string_view real)
{
    while (!written.empty()) {
        const Character a = characterOf(written);
        const auto meaning = asciiOf(a);
        const Character b = real.empty() ? Character{} : characterOf(real);
        if (a.bytes == b.bytes) {
            if (meaning && m_means.contains(a.bytes))
                return false;
            if (meaning)
                m_kept.emplace(a.bytes, true);
            real.remove_prefix(b.bytes.size());
        } else if (meaning && real.starts_with(*meaning)) {
            if (!note(a.bytes, *meaning))
                return false;
            real.remove_prefix(meaning->size());
        } else if (!real.empty() && asciiOf(b)) {
            // The source has the typographic form: nothing to learn, the line keeps its bytes.
            const std::string_view plain = *asciiOf(b);
            if (!written.starts_with(plain) && !(meaning && *meaning == plain))
                return false;
            real.remove_prefix(b.bytes.size());
            if (!(meaning && *meaning == plain)) {
                written.remove_prefix(plain.size());
                continue;
            }
        } else {
            return false;
        }
        written.remove_prefix(a.bytes.size());
    }
    return true;
}

std::string Foldings::applied(std::string_view text) const
{
    if (m_means.empty())
        return std::string(text);
    std::string result;
    while (!text.empty()) {
        const Character character = characterOf(text);
        const auto known = m_means.find(character.bytes);
        result.append(known == m_means.end() ? character.bytes : std::string_view(known->second));
        text.remove_prefix(character.bytes.size());
    }
    return result;
}

} // namespace tilewright::patch
