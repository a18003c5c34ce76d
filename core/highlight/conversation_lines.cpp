// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/highlight/conversation_lines.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tilewright {
namespace {

using Line = ConversationLine;
using Lines = std::vector<std::string_view>;

constexpr std::string_view program = "kernel";
constexpr std::size_t shortestFence = 3, shortestMarker = 5;

Lines linesOf(std::string_view text)
{
    Lines lines;
    for (std::size_t from = 0;;) {
        const std::size_t to = text.find('\n', from);
        lines.push_back(text.substr(from, to == std::string_view::npos ? to : to - from));
        if (to == std::string_view::npos)
            return lines;
        from = to + 1;
    }
}

std::string_view trimmed(std::string_view line)
{
    constexpr std::string_view blanks = " \t\r";
    const std::size_t from = line.find_first_not_of(blanks);
    return from == std::string_view::npos ? std::string_view()
                                          : line.substr(from, line.find_last_not_of(blanks) + 1 - from);
}

std::size_t runOf(std::string_view line, char sign) { return std::min(line.find_first_not_of(sign), line.size()); }

/// As models write it behind a fence, to the name that the colouring process reads it by.
std::string languageOf(std::string_view named)
{
    const std::string word = lowered(named.substr(0, named.find_first_of(" \t{,:")));
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 29> known{
        {{"", program}, {"cpp", program}, {"c++", program}, {"cc", program}, {"cxx", program}, {"c", program},
            {"h", program}, {"hpp", program}, {"cuda", program}, {"cu", program}, {"cuh", program}, {"diff", "diff"},
            {"patch", "diff"}, {"udiff", "diff"}, {"ptx", "ptx"}, {"nvptx", "ptx"}, {"sass", "sass"},
            {"asm", "GNU Assembler"}, {"s", "GNU Assembler"}, {"gas", "GNU Assembler"}, {"assembly", "GNU Assembler"},
            {"python", "Python"}, {"py", "Python"}, {"triton", "Python"}, {"json", "JSON"}, {"bash", "Bash"},
            {"sh", "Bash"}, {"shell", "Bash"}, {"cmake", "CMake"}}};
    const auto* found
        = std::ranges::find(known, std::string_view(word), &std::pair<std::string_view, std::string_view>::first);
    return found == known.end() ? std::string() : std::string(found->second);
}

bool isMarker(std::string_view line, char sign, std::string_view word)
{
    const std::size_t signs = runOf(line, sign);
    return signs >= shortestMarker && trimmed(line.substr(signs)).starts_with(word);
}

/// Reads line by line; what is open says what the next one is.
class Reader
{
public:
    explicit Reader(std::string_view text)
        : m_lines(linesOf(text))
    {
    }

    std::vector<Line> read()
    {
        m_read.reserve(m_lines.size());
        for (m_at = 0; m_at < m_lines.size(); ++m_at)
            m_read.push_back(lineAt());
        return std::move(m_read);
    }

private:
    enum class Block { None, Search, Replace };

    Line lineAt()
    {
        const std::string_view line = m_lines[m_at], bare = trimmed(line);
        if (const std::size_t ticks = fenceOf(bare); ticks && (!m_fence || closes(bare, ticks)))
            return fence(bare, ticks);
        if (isMarker(bare, '<', "SEARCH")) {
            m_block = Block::Search;
            return sign();
        }
        if (m_block == Block::Search && isMarker(bare, '=', "") && bare.size() == runOf(bare, '=')) {
            m_block = Block::Replace;
            return sign();
        }
        if (m_block != Block::None && isMarker(bare, '>', "REPLACE")) {
            m_block = Block::None;
            return sign();
        }
        if (m_block != Block::None)
            return {Line::Kind::Code, m_block == Block::Search ? Line::Edit::Removed : Line::Edit::Added, 0,
                m_language.empty() ? std::string(program) : m_language};
        if (m_fence && m_language != "diff")
            return {Line::Kind::Code, Line::Edit::None, 0, m_language};
        if (!m_fence && isTag(bare)) {
            m_inDiff = m_inTag = bare == "<diff>";
            return sign();
        }
        return diffLine(line);
    }

    /// Of the form that replies are asked for.
    static bool isTag(std::string_view bare)
    {
        if (!bare.starts_with('<') || !bare.ends_with('>'))
            return false;
        const std::string_view name = bare.substr(1, bare.size() - 2);
        static constexpr std::array<std::string_view, 4> tags{"diff", "reasoning", "proposal", "expected_impact"};
        return std::ranges::find(tags, name.starts_with('/') ? name.substr(1) : name) != tags.end();
    }

    static Line sign() { return {Line::Kind::Sign, Line::Edit::None, 0, {}}; }

    /// Length of the fence that the line begins with; 0 for none.
    static std::size_t fenceOf(std::string_view bare)
    {
        const char first = bare.empty() ? ' ' : bare.front();
        const std::size_t run = first == '`' || first == '~' ? runOf(bare, first) : 0;
        return run >= shortestFence && bare.find('`', run) == std::string_view::npos ? run : 0;
    }
    bool closes(std::string_view bare, std::size_t ticks) const
    {
        return bare.front() == m_fenceSign && ticks >= m_fence && ticks == bare.size();
    }

    Line fence(std::string_view bare, std::size_t ticks)
    {
        const bool opens = m_fence == 0;
        m_fence = opens ? ticks : 0;
        m_fenceSign = bare.front();
        m_block = Block::None;
        m_inDiff = false;
        m_language = opens ? languageOf(trimmed(bare.substr(ticks))) : std::string();
        if (opens && bare.size() == ticks && m_at + 1 < m_lines.size() && beginsDiff(m_at + 1))
            m_language = "diff";
        return sign();
    }

    bool beginsDiff(std::size_t at) const
    {
        const std::string_view line = m_lines[at];
        return line.starts_with("@@") || line.starts_with("diff --git ") || line.starts_with("*** Begin Patch")
            || isFileHeader(at);
    }
    /// "--- a" above "+++ b": one alone is a line that was taken away, or added.
    bool isFileHeader(std::size_t at) const
    {
        return (m_lines[at].starts_with("--- ") && at + 1 < m_lines.size() && m_lines[at + 1].starts_with("+++ "))
            || (m_lines[at].starts_with("+++ ") && at > 0 && m_lines[at - 1].starts_with("--- "));
    }

    Line diffLine(std::string_view line)
    {
        if (!m_inDiff && !m_fence && !beginsDiff(m_at))
            return {};
        m_inDiff = true;
        if (beginsDiff(m_at) || line.starts_with("index ") || line.starts_with("*** "))
            return sign();
        if (line.starts_with('+'))
            return {Line::Kind::Code, Line::Edit::Added, 1, std::string(program)};
        if (line.starts_with('-'))
            return {Line::Kind::Code, Line::Edit::Removed, 1, std::string(program)};
        if (m_fence || m_inTag || line.starts_with(' '))
            return {Line::Kind::Code, Line::Edit::None, line.starts_with(' ') ? 1 : 0, std::string(program)};
        m_inDiff = false; // a diff in no fence and no tag ends with the first line that has no sign
        return {};
    }

    Lines m_lines;
    std::vector<Line> m_read;
    std::size_t m_at = 0, m_fence = 0;
    char m_fenceSign = '`';
    std::string m_language;
    Block m_block = Block::None;
    bool m_inDiff = false, m_inTag = false;
};

} // namespace

std::vector<ConversationLine> readConversation(std::string_view text) { return Reader(text).read(); }

} // namespace tilewright
