// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/diff/diff_lines.h"

#include "ui/diff/changed_words.h"

#include <algorithm>

namespace tilewright::ui {
namespace {

/// Pairs the n-th removed line of a change with its n-th added one.
void markRuns(std::vector<CodeLine>& lines)
{
    using Mark = CodeLine::Mark;
    for (std::size_t at = 0; at < lines.size();) {
        if (lines[at].mark != Mark::Removed) {
            ++at;
            continue;
        }
        std::size_t middle = at, end;
        while (middle < lines.size() && lines[middle].mark == Mark::Removed)
            ++middle;
        end = middle;
        while (end < lines.size() && lines[end].mark == Mark::Added)
            ++end;
        for (std::size_t i = 0; at + i < middle && middle + i < end; ++i)
            markChangedWords(lines[at + i], lines[middle + i]);
        at = end;
    }
}

} // namespace

UnifiedDiff unifiedDiff(const std::string& before, const std::string& after, Whitespace whitespace)
{
    return unifiedDiff(AlignedTexts(before, after, whitespace));
}

UnifiedDiff unifiedDiff(const AlignedTexts& texts)
{
    using Mark = CodeLine::Mark;
    UnifiedDiff made;
    std::vector<bool> isChanged;
    for (const DiffLine& line : texts.lines()) {
        isChanged.push_back(line.change != LineChange::Same);
        made.lines.push_back(line.change == LineChange::Removed
                ? texts.before(line, Mark::Removed)
                : texts.after(line, line.change == LineChange::Added ? Mark::Added : Mark::Plain));
    }
    if (std::ranges::find(isChanged, true) == isChanged.end())
        return {};
    markRuns(made.lines);
    made.folds = foldsBetween(isChanged);
    return made;
}

} // namespace tilewright::ui
