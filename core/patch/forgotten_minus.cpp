// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/forgotten_minus.h"

#include "core/base/text.h"
#include "core/patch/dropped_lines.h"
#include "core/patch/successor.h"

namespace tilewright::patch {
namespace {

class Neighbours
{
public:
    Neighbours(const Hunk& hunk, Comments comments)
        : m_hunk(hunk)
        , m_comments(comments)
    {
        for (const HunkLine& line : hunk.lines)
            if (line.sign != Sign::Context)
                m_opened += (line.sign == Sign::Added ? 1 : -1) * openBrackets(line.text, comments);
        const bool oldEven = hunk.oldCount == hunk.oldLines();
        m_even = oldEven && hunk.newCount == hunk.newLines();
        const std::size_t more = hunk.newLines() - std::min(hunk.newCount.value_or(hunk.newLines()), hunk.newLines());
        m_evenWithout = oldEven && more > 0 && more <= 2;
    }

    bool lackMinus() const
    {
        for (std::size_t i = 1; i < m_hunk.lines.size() && !m_even; ++i) {
            const bool begins = m_hunk.lines[i - 1].sign == Sign::Context && m_hunk.lines[i].sign != Sign::Context;
            const bool ends = m_hunk.lines[i - 1].sign == Sign::Added && m_hunk.lines[i].sign == Sign::Context;
            if ((begins && isReplacedBehind(i)) || (ends && replaces(m_hunk.lines[i - 1].text, m_hunk.lines[i].text)))
                return true;
        }
        return false;
    }

private:
    /// Is the context line before this one replaced by an added one behind it?
    bool isReplacedBehind(std::size_t first) const
    {
        const std::string_view old = m_hunk.lines[first - 1].text;
        bool isFirst = true;
        for (std::size_t i = first; i < m_hunk.lines.size() && m_hunk.lines[i].sign != Sign::Context; ++i) {
            if (m_hunk.lines[i].sign == Sign::Removed)
                continue;
            const std::string_view fresh = m_hunk.lines[i].text;
            if (isFirst && (replaces(old, fresh) || isUnreachable(old, fresh)))
                return true;
            if (!isFirst && takesPlaceLater(old, fresh, m_comments))
                return true;
            const std::string_view text = trimmed(fresh);
            const bool leavesScope
                = text.starts_with('}') || text.starts_with('#') || indentOf(fresh).size() < indentOf(old).size();
            if (!text.empty() && (leavesScope || mentionsTarget(fresh, old, m_comments)))
                return false;
            isFirst = false;
        }
        return false;
    }

    bool replaces(std::string_view old, std::string_view fresh) const
    {
        if (m_evenWithout && trimmed(old) != trimmed(fresh) && likeness(trimmed(old), trimmed(fresh)) >= 0.5)
            return true;
        // What opens as many brackets as the line before it is another block's head where the hunk closes them.
        const int opened = openBrackets(old, m_comments);
        return takesPlace(old, fresh, m_comments) && (opened == 0 || m_opened != 0);
    }

    bool isUnreachable(std::string_view old, std::string_view fresh) const
    {
        const std::string_view text = trimmed(fresh);
        const bool isLabel = text.ends_with(':') || text.starts_with("case ") || text.starts_with("default");
        const bool isOther = text.empty() || text[0] == '}' || text[0] == '#' || text.starts_with("//")
            || text.starts_with("/*") || isLabel;
        return !isOther && indentOf(old) == indentOf(fresh) && trimmed(old) != text && leavesBlock(old, m_comments);
    }

    const Hunk& m_hunk;
    Comments m_comments;
    int m_opened = 0; ///< brackets that the hunk opens and does not close
    bool m_even = false; ///< the counts are those of the lines as they are written
    bool m_evenWithout = false; ///< they would be if one or two context lines were removed ones
};

} // namespace

bool lacksMinus(const Hunk& hunk, Comments comments) { return !hunk.isBlock && Neighbours(hunk, comments).lackMinus(); }

} // namespace tilewright::patch
