// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/thoughts.h"

#include "core/base/reply_marks.h"
#include "core/base/text.h"
#include "core/patch/blocks.h"
#include "core/patch/hunk_header.h"
#include "core/patch/reply_text.h"
#include "core/patch/unknown_thoughts.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace tilewright::patch {
namespace {

constexpr auto nowhere = std::string_view::npos;

bool isInlineBlank(char c) { return c == ' ' || c == '\t'; }

/// A mark and how it stands in its line.
struct Placed {
    ReplyMark mark;
    bool startsLine = false, endsLine = false;
    bool isText = false; ///< in quotes, or a line that a hunk claims
    bool isSigned = false; ///< its line begins as one of a diff that changes something
    bool isGlued = false; ///< in mid-line, as nobody writes a word: "that is all.</think>Here"
    bool stands() const { return startsLine || endsLine; }
};

/// How many of a sign stand in a line up to a place, and whether one stands behind it; asked from left to right.
class Quotes
{
public:
    Quotes(std::string_view line, char sign)
        : m_line(line)
        , m_sign(sign)
        , m_last(line.rfind(sign))
    {
    }
    bool surround(std::size_t begin, std::size_t end)
    {
        for (; m_at < begin; ++m_at)
            m_isOpen = m_isOpen != (m_line[m_at] == m_sign);
        return m_isOpen && m_last != nowhere && m_last >= end;
    }

private:
    std::string_view m_line;
    char m_sign;
    std::size_t m_last, m_at = 0;
    bool m_isOpen = false;
};

bool isBetweenApostrophes(std::string_view text, std::size_t begin, std::size_t end)
{
    return begin > 0 && end < text.size() && text[begin - 1] == '\'' && text[end] == '\'';
}

std::vector<Placed> placedMarks(std::string_view text)
{
    const std::vector<ReplyMark> marks = replyMarksIn(text);
    const std::vector<HunkSpan> claimed = claimedByCounts(text);
    std::vector<Placed> placed;
    auto hunk = claimed.begin();
    std::size_t lineBegin = nowhere, lineEnd = 0;
    Quotes doubles("", '"'), ticks("", '`');
    for (const ReplyMark& mark : marks) {
        if (lineBegin == nowhere || mark.begin >= lineEnd) {
            lineBegin = mark.begin == 0 ? 0 : text.rfind('\n', mark.begin - 1) + 1; // npos + 1 is 0
            lineEnd = std::min(text.find('\n', mark.begin), text.size());
            doubles = Quotes(text.substr(lineBegin, lineEnd - lineBegin), '"');
            ticks = Quotes(text.substr(lineBegin, lineEnd - lineBegin), '`');
        }
        while (hunk != claimed.end() && hunk->end <= mark.begin)
            ++hunk;
        Placed one{mark};
        std::size_t before = mark.begin, after = mark.end;
        while (before > lineBegin && isInlineBlank(text[before - 1]))
            --before;
        while (after < text.size() && isInlineBlank(text[after]))
            ++after;
        const bool behindMark = !placed.empty() && placed.back().mark.end == before && before > lineBegin;
        one.startsLine = before == lineBegin || text[before - 1] == '>' || behindMark;
        one.endsLine = after >= text.size() || text[after] == '\n' || text[after] == '<';
        const bool isString = doubles.surround(mark.begin - lineBegin, mark.end - lineBegin);
        const bool isCode = ticks.surround(mark.begin - lineBegin, mark.end - lineBegin);
        one.isText = isString || isCode || isBetweenApostrophes(text, mark.begin, mark.end)
            || (hunk != claimed.end() && mark.begin >= hunk->begin && !endsHunk(text, mark.begin, *hunk));
        one.isSigned = text[lineBegin] == '+' || text[lineBegin] == '-';
        one.isGlued = before == mark.begin || after == mark.end;
        placed.push_back(one);
    }
    return placed;
}

/// Fences and blocks that end, found from left to right: what stands in them is the answer's code.
class CodeSpans
{
public:
    CodeSpans(std::string_view text, const std::vector<Placed>& marks)
        : m_text(text)
        , m_marks(marks)
    {
    }
    /// Lines are read from here on; asked with growing places only.
    void restart(std::size_t at) { m_line = at; }
    bool holds(std::size_t at)
    {
        while (m_line <= at && m_line < m_text.size())
            readLine();
        return at < m_coveredUntil;
    }

private:
    std::size_t endOfLine(std::size_t at) const { return std::min(m_text.find('\n', at), m_text.size()); }

    void readLine()
    {
        if (m_lineEnd < m_line || m_lineEnd == 0) // many marks may stand in one line
            m_lineEnd = endOfLine(m_line);
        const std::size_t end = m_lineEnd;
        const std::string_view line = m_text.substr(m_line, end - m_line);
        std::size_t covered = nowhere;
        if (isSearchMarker(line))
            covered = endOfBlock(end + 1);
        else if (isFenceLine(line))
            covered = endOfFence(line, end + 1);
        if (covered != nowhere)
            m_coveredUntil = covered;
        m_line = (covered != nowhere ? endOfLine(covered) : end) + 1;
    }

    std::size_t endOfBlock(std::size_t at) const
    {
        while (at < m_text.size()) {
            const std::size_t end = endOfLine(at);
            const std::string_view line = m_text.substr(at, end - at);
            if (isSearchMarker(line))
                return nowhere;
            if (isReplaceMarker(line))
                return end;
            at = end + 1;
        }
        return nowhere;
    }

    /// Where the fence that this line opens has its end; nowhere if another one opens before: it was left open. Prose
    /// in a fence of Markdown is no code.
    std::size_t endOfFence(std::string_view opening, std::size_t at) const
    {
        const std::string_view signs = trimmed(opening);
        const char sign = signs.front();
        const std::size_t length = std::min(signs.find_first_not_of(sign), signs.size());
        const std::string language = lowered(trimmed(signs.substr(length)));
        if (language == "markdown" || language == "md")
            return nowhere;
        while (at < m_text.size()) {
            const std::size_t end = endOfLine(at);
            const std::string_view line = withoutMarks(at, end);
            const std::string_view text = trimmed(line);
            if (!text.empty() && text.front() == sign) {
                const std::size_t found = std::min(text.find_first_not_of(sign), text.size());
                if (found >= length)
                    return trimmed(text.substr(found)).empty() ? static_cast<std::size_t>(text.data() - m_text.data())
                                                               : nowhere;
            }
            at = end + 1;
        }
        return nowhere;
    }

    /// What stands in a line behind its last mark, else before its first one.
    std::string_view withoutMarks(std::size_t begin, std::size_t end) const
    {
        const auto beginOf = [](const Placed& one) { return one.mark.begin; };
        const auto first = std::ranges::lower_bound(m_marks, begin, {}, beginOf);
        const auto behind = std::ranges::lower_bound(m_marks, end, {}, beginOf);
        if (first == behind)
            return m_text.substr(begin, end - begin);
        const std::size_t last = std::min((behind - 1)->mark.end, end);
        const std::string_view rest = m_text.substr(last, end - last);
        return trimmed(rest).empty() ? m_text.substr(begin, first->mark.begin - begin) : rest;
    }

    std::string_view m_text;
    const std::vector<Placed>& m_marks;
    std::size_t m_line = 0, m_lineEnd = 0, m_coveredUntil = 0;
};

/// Reads a text mark by mark.
class AnswerReader
{
public:
    explicit AnswerReader(std::string_view text)
        : m_text(text)
        , m_marks(placedMarks(text))
        , m_code(text, m_marks)
        , m_lastClose(markFamilies(), nowhere)
        , m_lastPlainClose(markFamilies(), nowhere)
        , m_lastAnswerClose(markFamilies(), nowhere)
    {
        for (std::size_t i = 0; i < m_marks.size(); ++i) {
            const Placed& one = m_marks[i];
            if (one.isText)
                continue;
            if (one.mark.role == MarkRole::Close) {
                m_lastClose[one.mark.family] = i;
                if (one.stands())
                    m_lastPlainClose[one.mark.family] = i;
            }
            if (one.mark.role == MarkRole::AnswerClose && one.stands())
                m_lastAnswerClose[one.mark.family] = i;
        }
    }

    std::expected<std::string, ThoughtTrouble> read()
    {
        for (m_index = 0; m_index < m_marks.size() && !m_isOver; ++m_index) {
            const Placed& one = m_marks[m_index];
            if (one.isText || one.mark.begin < m_from)
                continue;
            if (m_channel)
                inChannel(one);
            else if (!m_stack.empty())
                inThought(one);
            else if (one.mark.isToken || !m_code.holds(one.mark.begin))
                inAnswer(one);
        }
        const bool thinks = m_channel || !m_stack.empty();
        if (!thinks && !m_isOver)
            keepUntil(m_text.size());
        return result(thinks);
    }

private:
    std::expected<std::string, ThoughtTrouble> result(bool thinks)
    {
        if (!m_isNamed) {
            if (thinks)
                return std::unexpected(ThoughtTrouble::Unended);
            if (trimmed(m_kept).empty())
                return std::move(m_former);
            if (!trimmed(m_former).empty() && trimmed(m_former) != trimmed(m_kept))
                return std::unexpected(ThoughtTrouble::Several);
            return std::move(m_kept);
        }
        if (m_isInside && !thinks)
            endAnswer();
        else if (m_isInside)
            return std::unexpected(ThoughtTrouble::Unended);
        for (const std::string& other : m_answers)
            if (trimmed(other) != trimmed(m_answers.front()))
                return std::unexpected(ThoughtTrouble::Several);
        if (m_answers.empty())
            return thinks ? std::expected<std::string, ThoughtTrouble>(std::unexpected(ThoughtTrouble::Unended))
                          : std::string();
        return std::move(m_answers.front());
    }

    bool closesLater(const std::vector<std::size_t>& last, std::size_t family) const
    {
        return last[family] != nowhere && last[family] > m_index;
    }

    /// Takes over what stands before a mark; what follows begins a line of its own.
    void keepUntil(std::size_t end)
    {
        if (end <= m_from)
            return;
        const std::string_view piece = m_text.substr(m_from, end - m_from);
        if (m_isCut && !m_kept.empty() && !m_kept.ends_with('\n') && !piece.starts_with('\n'))
            m_kept += '\n';
        m_kept += piece;
        m_isCut = false;
        m_from = end;
    }
    void goOnBehind(const ReplyMark& mark)
    {
        m_from = mark.end;
        m_isCut = true;
        m_code.restart(mark.end);
    }
    void drop()
    {
        m_kept.clear();
        m_reasons = false;
    }

    void inAnswer(const Placed& one)
    {
        const ReplyMark& mark = one.mark;
        switch (mark.role) {
        case MarkRole::Open: {
            const bool begins = one.startsLine ? mark.isFirm || closesLater(m_lastClose, mark.family)
                                               : closesLater(m_lastPlainClose, mark.family);
            if (!begins)
                return;
            keepUntil(mark.begin);
            m_stack.push_back(mark.family);
            break;
        }
        case MarkRole::Close:
            if (!mark.isFirm || one.isSigned || !(one.stands() || one.isGlued))
                return;
            drop();
            goOnBehind(mark);
            break;
        case MarkRole::AnswerOpen: {
            keepUntil(mark.begin);
            const bool begins = mark.isToken || (one.startsLine && closesLater(m_lastAnswerClose, mark.family))
                || (one.startsLine && m_isCut && trimmed(m_kept).empty());
            if (begins)
                beginAnswer(mark);
            break;
        }
        case MarkRole::AnswerClose:
            if (!one.stands())
                return;
            keepUntil(mark.begin);
            if (m_isInside)
                endAnswer();
            goOnBehind(mark);
            break;
        case MarkRole::Channel:
            keepUntil(mark.begin);
            m_channel = true;
            goOnBehind(mark);
            break;
        case MarkRole::Final:
            keepUntil(mark.begin);
            if (m_isInside)
                endAnswer();
            m_former.clear();
            beginAnswer(mark);
            break;
        case MarkRole::MessageStart:
            keepUntil(mark.begin);
            if (m_isInside)
                endAnswer();
            if (!trimmed(m_kept).empty())
                m_former = std::exchange(m_kept, {});
            drop();
            goOnBehind(mark);
            break;
        case MarkRole::OtherMessage:
            keepUntil(mark.begin);
            m_isOver = !trimmed(m_kept).empty() || m_isNamed;
            goOnBehind(mark);
            break;
        case MarkRole::MessageEnd:
        case MarkRole::ChannelEnd:
            keepUntil(mark.begin);
            if (m_isInside && mark.role == MarkRole::MessageEnd)
                endAnswer();
            goOnBehind(mark);
            break;
        case MarkRole::Plain:
            keepUntil(mark.begin);
            goOnBehind(mark);
            break;
        case MarkRole::ReasoningOpen:
            m_reasons = true;
            break;
        case MarkRole::ReasoningClose:
            if (!m_reasons && one.stands() && !one.isSigned) {
                keepUntil(mark.begin);
                m_kept = "<reasoning>" + m_kept + "</reasoning>\n";
                goOnBehind(mark);
            }
            m_reasons = false;
            break;
        }
    }

    void inThought(const Placed& one)
    {
        const ReplyMark& mark = one.mark;
        if (mark.role == MarkRole::Open) {
            if (one.startsLine && std::ranges::find(m_stack, mark.family) == m_stack.end()
                && closesLater(m_lastClose, mark.family))
                m_stack.push_back(mark.family);
            return;
        }
        if (mark.role == MarkRole::Close) {
            if (!one.stands() && !one.isGlued && closesLater(m_lastPlainClose, mark.family))
                return;
            const auto opened = std::ranges::find(m_stack, mark.family);
            if (opened != m_stack.end())
                m_stack.erase(opened, m_stack.end());
            else if (mark.isFirm && m_stack.size() == 1 && !closesLater(m_lastClose, m_stack.front()))
                m_stack.clear(); // opened by one name, closed by another
            else
                return;
            if (m_stack.empty())
                goOnBehind(mark);
            return;
        }
        const bool isNamed = mark.role == MarkRole::Final || (mark.role == MarkRole::AnswerOpen && mark.isToken)
            || (mark.role == MarkRole::AnswerOpen && one.startsLine
                && std::ranges::none_of(m_stack, [&](std::size_t f) { return closesLater(m_lastClose, f); }));
        if (isNamed) {
            m_stack.clear();
            beginAnswer(mark);
        }
    }

    void inChannel(const Placed& one)
    {
        const ReplyMark& mark = one.mark;
        switch (mark.role) {
        case MarkRole::Final:
            m_channel = false;
            m_former.clear();
            beginAnswer(mark);
            break;
        case MarkRole::MessageEnd:
        case MarkRole::ChannelEnd:
        case MarkRole::MessageStart:
            m_channel = false;
            goOnBehind(mark);
            break;
        case MarkRole::OtherMessage:
            m_isOver = true;
            break;
        default:
            break;
        }
    }

    /// From here on stands an answer that says so: what stood before is none.
    void beginAnswer(const ReplyMark& mark)
    {
        if (m_isInside)
            endAnswer();
        drop();
        m_isNamed = m_isInside = true;
        goOnBehind(mark);
    }
    void endAnswer()
    {
        m_isInside = false;
        if (!trimmed(m_kept).empty())
            m_answers.push_back(std::move(m_kept));
        drop();
    }

    std::string_view m_text;
    std::vector<Placed> m_marks;
    CodeSpans m_code;
    std::vector<std::size_t> m_lastClose, m_lastPlainClose, m_lastAnswerClose; ///< by family: indices of marks
    std::size_t m_index = 0, m_from = 0;
    std::string m_kept;
    std::string m_former; ///< a message of the model's own before this one
    std::vector<std::string> m_answers; ///< that a mark names
    std::vector<std::size_t> m_stack; ///< thoughts that are open, by family
    bool m_channel = false; ///< inside a channel that is no answer
    bool m_isNamed = false, m_isInside = false; ///< a mark said what the answer is; we are in it
    bool m_isCut = false; ///< a mark was left out right before
    bool m_isOver = false; ///< somebody else speaks: what follows is no reply
    bool m_reasons = false; ///< inside <reasoning>
};

} // namespace

std::expected<std::string, ThoughtTrouble> withoutThoughts(std::string_view text)
{
    auto answer = AnswerReader(text).read();
    if (answer && partsEditsByUnknownMark(*answer))
        return std::unexpected(ThoughtTrouble::UnknownMark);
    return answer;
}

} // namespace tilewright::patch
