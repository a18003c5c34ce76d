// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/plain_code.h"

#include "core/base/block_markers.h"
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

/// What may stand before the quote of a literal: nothing, or the prefix of an encoding.
bool isEncoding(std::string_view word)
{
    return word.empty() || word == "u" || word == "U" || word == "L" || word == "u8";
}

std::string_view wordBefore(std::string_view before)
{
    std::size_t begin = before.size();
    while (begin > 0 && isWordCharacter(before[begin - 1]))
        --begin;
    return before.substr(begin);
}

/// May an apostrophe behind this begin a character or string? Not in "1'000"; in "u'x'" it does.
bool opensCharacter(std::string_view before, Comments comments)
{
    return comments == Comments::Hash || isEncoding(wordBefore(before));
}

/// Where the string ends whose first character stands at `at`: at the quote that closes it; npos if none does.
std::size_t endOfString(std::string_view line, std::size_t at, const std::string& quote, bool typographic)
{
    while (at < line.size()) {
        const std::string_view character = line.substr(at, lengthAt(line.substr(at)));
        if (folded(character) == quote && (typographic || character == quote))
            return at;
        at += character == "\\" ? 1 + (at + 1 < line.size() ? lengthAt(line.substr(at + 1)) : 0) : character.size();
    }
    return std::string_view::npos;
}

/// Reads one line after the other; what is open goes on from line to line.
class Reader
{
public:
    Reader(Comments comments, LexicalState state)
        : m_comments(comments)
        , m_state(std::move(state))
    {
    }

    struct Reading {
        std::string plain; ///< with look-alikes in its code as ASCII
        std::string code; ///< what stands outside strings and comments
    };

    Reading read(std::string_view line)
    {
        Reading reading;
        char quote = 0; // of the string that is open
        bool typographic = false; // it was opened by a look-alike
        for (std::size_t at = 0; at < line.size();) {
            const std::string_view rest = line.substr(at);
            if (const std::size_t within = quote == 0 ? lengthWithin(rest, reading.plain) : 0; within > 0) {
                at += take(reading.plain, rest, within);
            } else if (quote != 0 && rest[0] == '\\') {
                at += take(reading.plain, rest, 2);
            } else {
                const std::string_view character = rest.substr(0, lengthAt(rest));
                const std::string ascii = folded(character);
                const bool isLookAlike = ascii != character;
                const bool isQuote
                    = ascii == "\"" || (ascii == "'" && (quote == '\'' || opensCharacter(reading.plain, m_comments)));
                const bool closes = isQuote && quote == ascii[0] && (typographic || !isLookAlike);
                if (quote == 0)
                    reading.code += character;
                reading.plain += quote == 0 || closes ? ascii : std::string(character);
                if (closes) {
                    quote = 0;
                } else if (quote == 0 && isQuote) {
                    quote = ascii[0];
                    typographic = isLookAlike;
                }
                at += character.size();
            }
        }
        if (quote != 0 && typographic)
            reading.plain = line;
        return reading;
    }

    const LexicalState& state() const { return m_state; }

private:
    /// Bytes that belong to a comment or to a string of several lines; 0 for code. Opens and closes them.
    std::size_t lengthWithin(std::string_view rest, std::string_view before)
    {
        const bool slashes = m_comments == Comments::Slashes;
        if (m_state.inComment) {
            m_state.inComment = !rest.starts_with("*/");
            return m_state.inComment ? 1 : 2;
        }
        if (!m_state.rawEnd.empty()) {
            const bool ends = rest.starts_with(m_state.rawEnd);
            const std::size_t length = ends ? m_state.rawEnd.size() : 1;
            if (ends)
                m_state.rawEnd.clear();
            return length;
        }
        if (m_state.triple != 0) {
            const bool ends = rest.starts_with(std::string(3, m_state.triple));
            const std::size_t length = ends ? 3 : rest[0] == '\\' ? 2 : 1;
            if (ends)
                m_state.triple = 0;
            return length;
        }
        if (rest.starts_with(slashes ? "//" : "#"))
            return rest.size();
        if (slashes && rest.starts_with("/*")) {
            m_state.inComment = true;
            return 2;
        }
        if (!slashes && (rest.starts_with("\"\"\"") || rest.starts_with("'''"))) {
            m_state.triple = rest[0];
            return 3;
        }
        return slashes ? openRaw(rest, before) : 0;
    }

    /// R"delimiter( behind nothing or the prefix of an encoding.
    std::size_t openRaw(std::string_view rest, std::string_view before)
    {
        constexpr std::size_t longestDelimiter = 16;
        if (!rest.starts_with("R\""))
            return 0;
        if (!isEncoding(wordBefore(before)))
            return 0;
        const std::size_t open = rest.find('(');
        if (open == std::string_view::npos || open - 2 > longestDelimiter)
            return 0;
        m_state.rawEnd = ")" + std::string(rest.substr(2, open - 2)) + "\"";
        return open + 1;
    }

    static std::size_t take(std::string& text, std::string_view rest, std::size_t count)
    {
        count = std::min(count, rest.size());
        text += rest.substr(0, count);
        return count;
    }

    Comments m_comments;
    LexicalState m_state;
};

} // namespace

bool beginsWord(char c) { return ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_'; }
bool isWordCharacter(char c) { return beginsWord(c) || (c >= '0' && c <= '9'); }

Comments commentsOf(const std::vector<std::string_view>& program)
{
    const bool isScript = std::ranges::any_of(program, [](std::string_view line) {
        const auto marker = markerOfLine(line);
        return marker && marker->isStart && marker->isHash;
    });
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

std::vector<LexicalState> statesOf(const std::vector<std::string_view>& lines, Comments comments)
{
    std::vector<LexicalState> states;
    Reader reader(comments, {});
    for (const std::string_view line : lines) {
        states.push_back(reader.state());
        reader.read(line);
    }
    return states;
}

std::vector<std::string> codeIn(
    const std::vector<std::string_view>& lines, Comments comments, const LexicalState& state)
{
    std::vector<std::string> code;
    Reader reader(comments, state);
    for (const std::string_view line : lines)
        code.push_back(reader.read(line).code);
    return code;
}

std::vector<std::string> withPlainCode(
    const std::vector<std::string_view>& lines, Comments comments, const LexicalState& state)
{
    std::vector<std::string> plain;
    Reader reader(comments, state);
    for (const std::string_view line : lines)
        plain.push_back(reader.read(line).plain);
    return plain;
}

namespace {

/// What stands in a string: quotes in it are content.
std::string foldedString(std::string_view text)
{
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const std::string_view character = text.substr(at, lengthAt(text.substr(at)));
        const std::string ascii = folded(character);
        result += ascii == "\"" || ascii == "'" ? std::string(character) : ascii;
        at += character.size();
    }
    return result;
}

} // namespace

std::string foldedCode(std::string_view line, Comments comments)
{
    if (std::ranges::all_of(line, [](char c) { return static_cast<unsigned char>(c) < 0x80; }))
        return std::string(line);
    const std::string_view comment = comments == Comments::Slashes ? "//" : "#";
    std::string result;
    for (std::size_t at = 0; at < line.size();) {
        const std::string_view rest = line.substr(at), character = rest.substr(0, lengthAt(rest));
        if (rest.starts_with(comment))
            return result + folded(rest);
        const std::string ascii = folded(character);
        result += ascii;
        at += character.size();
        if (ascii != "\"" && (ascii != "'" || !opensCharacter(line.substr(0, at - character.size()), comments)))
            continue;
        const std::size_t end = endOfString(line, at, ascii, ascii != character);
        if (end == std::string_view::npos)
            continue;
        result += foldedString(line.substr(at, end - at)) + ascii;
        at = end + lengthAt(line.substr(end));
    }
    return result;
}

namespace {

/// A comment that the program's meaning depends on: tunables, their relations, the markers.
bool isRead(std::string_view comment)
{
    const std::size_t at = std::min(comment.find_first_not_of("/#* \t"), comment.size());
    const std::string_view words = comment.substr(at);
    return words.starts_with("tune:") || words.starts_with("require:") || words.starts_with("EVOLVE-BLOCK");
}

} // namespace

std::string codeBeforeComment(std::string_view line, Comments comments)
{
    std::string code;
    std::string_view sign; // of the line's first comment
    char quote = 0;
    for (std::size_t at = 0; at < line.size(); ++at) {
        const std::string_view rest = line.substr(at);
        if (quote == 0 && comments == Comments::Slashes && rest.starts_with("/*") && !isRead(rest)) {
            sign = sign.empty() ? rest.substr(0, 2) : sign;
            const std::size_t end = rest.find("*/", 2);
            if (end == std::string_view::npos)
                break;
            at += end + 1;
            continue;
        }
        const std::string_view toEnd = comments == Comments::Slashes ? "//" : "#";
        if (quote == 0 && rest.starts_with(toEnd) && !isRead(rest)) {
            sign = sign.empty() ? toEnd : sign;
            break;
        }
        code += line[at];
        if (line[at] == '\\' && quote != 0 && at + 1 < line.size())
            code += line[++at];
        else if (quote == 0 && (line[at] == '"' || (line[at] == '\'' && (at == 0 || !isWordCharacter(line[at - 1])))))
            quote = line[at];
        else if (line[at] == quote)
            quote = 0;
    }
    return trimmed(code).empty() ? std::string(sign) : code;
}

bool hasLookAlikesInCode(const std::vector<std::string_view>& lines, Comments comments)
{
    const std::vector<std::string> plain = withPlainCode(lines, comments);
    return !std::ranges::equal(plain, lines);
}

} // namespace tilewright::patch
