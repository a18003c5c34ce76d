// SPDX-License-Identifier: GPL-3.0-or-later
// The lines of two texts set against each other, from which every form of a diff is made: all of them show the same
// changes. Pure; safe on any thread. The texts must outlive it.
#pragma once

#include "core/patch/diff.h"
#include "ui/widgets/code_view.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilewright::ui {

enum class Whitespace { Counts, Ignored };

class AlignedTexts
{
public:
    AlignedTexts(const std::string& before, const std::string& after, Whitespace whitespace);
    AlignedTexts(const AlignedTexts&) = delete; // the lines point into it
    AlignedTexts& operator=(const AlignedTexts&) = delete;

    const std::vector<DiffLine>& lines() const { return m_lines; }
    /// As the line stands in one text, and in the other.
    CodeLine before(const DiffLine& line, CodeLine::Mark mark) const;
    CodeLine after(const DiffLine& line, CodeLine::Mark mark) const;

private:
    std::vector<std::string_view> m_before, m_after;
    std::pair<std::string, std::string> m_bare; ///< what the lines point into where whitespace is ignored
    std::vector<DiffLine> m_lines;
};

// Two texts as two columns of equal height: changed lines face each other, filler lines where one side has none, and
// which rows may be folded as they are far from a change. Pure; safe on any thread.

struct SideBySide {
    std::vector<CodeLine> left, right; ///< of equal size
    std::vector<Fold> folds; ///< of rows
    std::vector<int> changes; ///< first row of each run of changed lines
    int removed = 0, added = 0; ///< lines

    bool operator==(const SideBySide&) const = default;
};

SideBySide sideBySide(const AlignedTexts& texts);
SideBySide sideBySide(const std::string& before, const std::string& after, Whitespace whitespace);

} // namespace tilewright::ui
