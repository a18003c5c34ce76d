// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/diff/aligned_texts.h"

#include "core/base/text.h"
#include "ui/diff/diff_lines.h"

#include <algorithm>

namespace tilewright::ui {
namespace {

/// Every run of blanks as one, none at the ends.
std::string withoutWhitespace(std::string_view text)
{
    std::string all;
    for (const std::string_view line : splitLines(text)) {
        bool blank = false;
        for (const char c : trimmed(line)) {
            const bool isBlank = c == ' ' || c == '\t' || c == '\r';
            if (!isBlank)
                all += blank ? std::string(1, ' ') + c : std::string(1, c);
            blank = isBlank;
        }
        all += '\n';
    }
    return all;
}

CodeLine lineOf(const std::vector<std::string_view>& lines, std::size_t index, CodeLine::Mark mark)
{
    const std::string_view text = index < lines.size() ? lines[index] : std::string_view();
    return {QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())), static_cast<int>(index) + 1, mark, {}};
}

} // namespace

AlignedTexts::AlignedTexts(const std::string& before, const std::string& after, Whitespace whitespace)
    : m_before(splitLines(before))
    , m_after(splitLines(after))
{
    if (whitespace == Whitespace::Counts) {
        m_lines = diffLines(before, after);
    } else {
        m_bare = {withoutWhitespace(before), withoutWhitespace(after)};
        m_lines = diffLines(m_bare.first, m_bare.second);
    }
}

CodeLine AlignedTexts::before(const DiffLine& line, CodeLine::Mark mark) const
{
    return lineOf(m_before, line.oldLine, mark);
}

CodeLine AlignedTexts::after(const DiffLine& line, CodeLine::Mark mark) const
{
    return lineOf(m_after, line.newLine, mark);
}

namespace {

using Mark = CodeLine::Mark;

class Columns
{
public:
    explicit Columns(const AlignedTexts& texts)
        : m_texts(texts)
        , m_lines(texts.lines())
    {
    }

    SideBySide made()
    {
        for (std::size_t at = 0; at < m_lines.size();) {
            const DiffLine& line = m_lines[at];
            if (line.change != LineChange::Same) {
                at = addChange(at);
                continue;
            }
            addRow(m_texts.before(line, Mark::Plain), m_texts.after(line, Mark::Plain));
            ++at;
        }
        std::vector<bool> isChanged;
        for (std::size_t row = 0; row < m_made.left.size(); ++row)
            isChanged.push_back(m_made.left[row].mark != Mark::Plain || m_made.right[row].mark != Mark::Plain);
        m_made.folds = foldsBetween(isChanged);
        return std::move(m_made);
    }

private:
    void addRow(CodeLine left, CodeLine right)
    {
        m_made.left.push_back(std::move(left));
        m_made.right.push_back(std::move(right));
    }

    std::size_t addChange(std::size_t at)
    {
        std::vector<CodeLine> removed, added;
        for (; at < m_lines.size() && m_lines[at].change != LineChange::Same; ++at) {
            const bool isRemoved = m_lines[at].change == LineChange::Removed;
            (isRemoved ? removed : added)
                .push_back(
                    isRemoved ? m_texts.before(m_lines[at], Mark::Removed) : m_texts.after(m_lines[at], Mark::Added));
        }
        m_made.changes.push_back(static_cast<int>(m_made.left.size()));
        m_made.removed += static_cast<int>(removed.size());
        m_made.added += static_cast<int>(added.size());
        const CodeLine filler{{}, 0, Mark::Filler, {}};
        for (std::size_t i = 0; i < std::max(removed.size(), added.size()); ++i) {
            if (i < removed.size() && i < added.size())
                markChangedWords(removed[i], added[i]);
            addRow(i < removed.size() ? removed[i] : filler, i < added.size() ? added[i] : filler);
        }
        return at;
    }

    const AlignedTexts& m_texts;
    const std::vector<DiffLine>& m_lines;
    SideBySide m_made;
};

} // namespace

SideBySide sideBySide(const AlignedTexts& texts) { return Columns(texts).made(); }

SideBySide sideBySide(const std::string& before, const std::string& after, Whitespace whitespace)
{
    return sideBySide(AlignedTexts(before, after, whitespace));
}

} // namespace tilewright::ui
