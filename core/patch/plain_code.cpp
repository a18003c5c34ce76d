// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/plain_code.h"

#include "core/base/text.h"
#include "core/patch/folding.h"

#include <algorithm>

namespace tilewright::patch {
namespace {

/// Bytes of the character at the start of text.
std::size_t lengthAt(std::string_view text)
{
    std::size_t length = 1;
    while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80)
        ++length;
    return static_cast<unsigned char>(text[0]) < 0x80 ? 1 : length;
}

bool mayBeWord(char c) { return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_'; }

/// Reads one line after the other; whether a /* is open goes on from line to line.
class Reader
{
public:
    explicit Reader(Comments comments)
        : m_comments(comments)
    {
    }

    std::string plain(std::string_view line)
    {
        std::string text;
        char quote = 0; // of the string that is open
        bool typographic = false; // it was opened by a look-alike
        for (std::size_t at = 0; at < line.size();) {
            const std::string_view rest = line.substr(at);
            if (m_inComment) {
                m_inComment = !rest.starts_with("*/");
                at += take(text, rest, m_inComment ? 1 : 2);
            } else if (quote != 0 && rest[0] == '\\') {
                at += take(text, rest, 2);
            } else if (quote == 0 && beginsComment(rest)) {
                text += rest;
                return text;
            } else if (quote == 0 && m_comments == Comments::Slashes && rest.starts_with("/*")) {
                m_inComment = true;
                at += take(text, rest, 2);
            } else {
                const std::string_view character = rest.substr(0, lengthAt(rest));
                const std::string ascii = folded(character);
                const bool isLookAlike = ascii != character;
                const bool isQuote = ascii == "\"" || (ascii == "'" && (quote == '\'' || opensCharacter(text)));
                const bool closes = isQuote && quote == ascii[0] && (typographic || !isLookAlike);
                text += quote == 0 || closes ? ascii : std::string(character);
                if (closes) {
                    quote = 0;
                } else if (quote == 0 && isQuote) {
                    quote = ascii[0];
                    typographic = isLookAlike;
                }
                at += character.size();
            }
        }
        return quote != 0 && typographic ? std::string(line) : text;
    }

private:
    /// May an apostrophe behind this begin a character or string? Not in "1'000"; in "u'x'" it does.
    bool opensCharacter(std::string_view before) const
    {
        std::size_t begin = before.size();
        while (begin > 0 && mayBeWord(before[begin - 1]))
            --begin;
        const std::string_view word = before.substr(begin);
        return word.empty() || m_comments == Comments::Hash || word == "u" || word == "U" || word == "L"
            || word == "u8";
    }

    bool beginsComment(std::string_view rest) const
    {
        return m_comments == Comments::Slashes ? rest.starts_with("//") : rest.starts_with('#');
    }

    static std::size_t take(std::string& text, std::string_view rest, std::size_t count)
    {
        count = std::min(count, rest.size());
        text += rest.substr(0, count);
        return count;
    }

    Comments m_comments;
    bool m_inComment = false;
};

} // namespace

Comments commentsOf(const std::vector<std::string_view>& program)
{
    const bool isScript = std::ranges::any_of(
        program, [](std::string_view line) { return trimmed(line).starts_with("# EVOLVE-BLOCK-START"); });
    return isScript ? Comments::Hash : Comments::Slashes;
}

ProgramKind kindOf(const std::vector<std::string_view>& program)
{
    const Comments comments = commentsOf(program);
    return {comments, hasBodies(program, comments)};
}

bool hasBodies(const std::vector<std::string_view>& lines, Comments comments)
{
    return std::ranges::any_of(lines, [&](std::string_view line) {
        return comments == Comments::Slashes ? line.find('{') != std::string_view::npos
                                             : trimmed(line).starts_with("def ") || trimmed(line).starts_with("class ");
    });
}

std::vector<std::string> withPlainCode(const std::vector<std::string_view>& lines, Comments comments)
{
    std::vector<std::string> plain;
    plain.reserve(lines.size());
    const bool isRaw
        = std::ranges::any_of(lines, [](std::string_view line) { return line.find("R\"") != std::string_view::npos; });
    Reader reader(comments);
    for (const std::string_view line : lines)
        plain.push_back(isRaw ? std::string(line) : reader.plain(line));
    return plain;
}

bool hasLookAlikesInCode(const std::vector<std::string_view>& lines, Comments comments)
{
    const std::vector<std::string> plain = withPlainCode(lines, comments);
    return !std::ranges::equal(plain, lines);
}

} // namespace tilewright::patch
