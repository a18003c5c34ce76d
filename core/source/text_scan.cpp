// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/source/text_scan.h"

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

} // namespace tilewright
