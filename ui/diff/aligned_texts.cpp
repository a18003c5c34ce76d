// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/diff/aligned_texts.h"

#include "core/base/text.h"

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

} // namespace tilewright::ui
