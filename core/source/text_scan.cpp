// SPDX-License-Identifier: Apache-2.0
#include "core/source/text_scan.h"

#include <algorithm>

namespace tilewright {
namespace {

enum class In { Code, LineComment, BlockComment, String, Character, RawString };

/// Walks the text once, keeping what it is inside of.
class Scanner
{
public:
    explicit Scanner(std::string_view text)
        : m_text(text)
    {
    }

    std::vector<ScannedLine> lines()
    {
        while (m_at < m_text.size())
            step();
        if (!m_line.code.empty() || !m_line.comment.empty())
            endLine();
        return std::move(m_lines);
    }

private:
    void step()
    {
        const char c = m_text[m_at];
        if (c == '\n') {
            const bool continued = m_at > 0 && m_text[m_at - 1] == '\\';
            endLine();
            if (!continued && (m_in == In::LineComment || m_in == In::String || m_in == In::Character))
                m_in = In::Code;
            ++m_at;
            return;
        }
        switch (m_in) {
        case In::Code:
            return inCode(c);
        case In::LineComment:
            m_line.comment += upTo([](char) { return false; });
            return;
        case In::BlockComment:
            upTo([](char next) { return next == '*'; });
            if (!isAhead('*')) // the end of a line
                return;
            if (isAhead('*', '/')) {
                m_in = In::Code;
                m_line.code += ' ';
                ++m_at;
            }
            break;
        case In::String:
        case In::Character:
            m_line.code += c;
            if (c == '\\' && m_at + 1 < m_text.size() && m_text[m_at + 1] != '\n')
                m_line.code += m_text[++m_at];
            else if (c == (m_in == In::String ? '"' : '\''))
                m_in = In::Code;
            break;
        case In::RawString:
            m_line.code += c;
            if (c == '"' && m_text.substr(0, m_at).ends_with(m_rawEnd))
                m_in = In::Code;
            break;
        }
        ++m_at;
    }

    /// What follows within the line, up to what means something where the scan stands.
    template <typename MeansSomething> std::string_view upTo(MeansSomething meansSomething)
    {
        const std::size_t from = m_at;
        while (m_at < m_text.size() && m_text[m_at] != '\n' && !meansSomething(m_text[m_at]))
            ++m_at;
        return m_text.substr(from, m_at - from);
    }

    void inCode(char c)
    {
        const auto plain = upTo([](char next) { return next == '/' || next == '"' || next == '\''; });
        if (!plain.empty()) {
            m_line.code += plain;
            return;
        }
        if (isAhead('/', '/')) {
            m_in = In::LineComment;
            m_at += 2;
            return;
        }
        if (isAhead('/', '*')) {
            m_in = In::BlockComment;
            m_at += 2;
            return;
        }
        m_line.code += c;
        if (c == '"' && m_at > 0 && m_text[m_at - 1] == 'R') {
            const std::size_t open = m_text.find('(', m_at);
            if (open != std::string_view::npos && open - m_at <= 17) {
                m_rawEnd = ")" + std::string(m_text.substr(m_at + 1, open - m_at - 1));
                m_in = In::RawString;
            }
        } else if (c == '"') {
            m_in = In::String;
        } else if (c == '\'' && !digitSeparator()) {
            m_in = In::Character;
        }
        ++m_at;
    }

    /// The ' of 1'000'000 follows a digit or a hexadecimal letter.
    bool digitSeparator() const
    {
        if (m_at == 0)
            return false;
        const char before = m_text[m_at - 1];
        return (before >= '0' && before <= '9') || (before >= 'a' && before <= 'f') || (before >= 'A' && before <= 'F');
    }

    bool isAhead(char first) const { return m_at < m_text.size() && m_text[m_at] == first; }
    bool isAhead(char first, char second) const
    {
        return isAhead(first) && m_at + 1 < m_text.size() && m_text[m_at + 1] == second;
    }

    void endLine()
    {
        m_lines.push_back(std::move(m_line));
        m_line = {};
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    In m_in = In::Code;
    std::string m_rawEnd;
    ScannedLine m_line;
    std::vector<ScannedLine> m_lines;
};

} // namespace

std::vector<ScannedLine> scanLines(std::string_view text) { return Scanner(text).lines(); }

namespace {

bool isOfWord(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// Whether the quote at this place begins a raw string, and where that ends; 0 if it does not.
std::size_t endOfRawString(std::string_view text, std::size_t quote)
{
    std::size_t word = quote;
    while (word > 0 && isOfWord(text[word - 1]))
        --word;
    const std::string_view prefix = text.substr(word, quote - word);
    if (prefix != "R" && prefix != "u8R" && prefix != "uR" && prefix != "UR" && prefix != "LR")
        return 0;
    constexpr std::size_t longestMark = 16;
    const std::size_t open = text.find('(', quote);
    if (open == std::string_view::npos || open - quote - 1 > longestMark)
        return 0;
    const std::string close = ")" + std::string(text.substr(quote + 1, open - quote - 1)) + '"';
    const std::size_t end = text.find(close, open);
    return end == std::string_view::npos ? text.size() : end + close.size();
}

} // namespace

std::string withoutRawStrings(std::string_view text)
{
    std::string plain(text);
    if (text.find("R\"") == std::string_view::npos)
        return plain;
    for (std::size_t at = 0; at < text.size();) {
        const std::string_view two = text.substr(at, 2);
        if (two == "//") {
            at = std::min(text.find('\n', at), text.size());
        } else if (two == "/*") {
            const std::size_t close = text.find("*/", at + 2);
            at = close == std::string_view::npos ? text.size() : close + 2;
        } else if (const std::size_t end = text[at] == '"' ? endOfRawString(text, at) : 0; end > 0) {
            for (std::size_t i = at + 1; i < end; ++i)
                if (plain[i] != '\n')
                    plain[i] = i == at + 1 ? '"' : ' ';
            at = end;
        } else if (text[at] == '"' || (text[at] == '\'' && (at == 0 || !isOfWord(text[at - 1])))) {
            const char quote = text[at++];
            while (at < text.size() && text[at] != quote && text[at] != '\n')
                at += text[at] == '\\' ? 2 : 1;
            ++at;
        } else {
            ++at;
        }
    }
    return plain;
}

} // namespace tilewright
