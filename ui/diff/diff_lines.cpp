// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/diff/diff_lines.h"

#include "core/patch/diff.h"
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

std::vector<CodeLine> diffToShow(const std::string& before, const std::string& after)
{
    const std::vector<DiffLine> all = diffLines(before, after);
    std::vector<bool> shown(all.size(), false);
    bool any = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].change == LineChange::Same)
            continue;
        any = true;
        for (std::size_t near = i - std::min(i, contextLines); near <= std::min(i + contextLines, all.size() - 1);
             ++near)
            shown[near] = true;
    }
    if (!any)
        return {};
    std::vector<CodeLine> lines;
    for (std::size_t i = 0; i < all.size();) {
        if (!shown[i]) {
            std::size_t end = i;
            while (end < all.size() && !shown[end])
                ++end;
            lines.push_back({unchangedLines(static_cast<int>(end - i)), 0, CodeLine::Mark::Fold, {}});
            i = end;
            continue;
        }
        const DiffLine& line = all[i++];
        const QString text = QString::fromUtf8(line.text.data(), static_cast<qsizetype>(line.text.size()));
        const bool removed = line.change == LineChange::Removed;
        lines.push_back({text, static_cast<int>(removed ? line.oldLine : line.newLine) + 1,
            removed                                ? CodeLine::Mark::Removed
                : line.change == LineChange::Added ? CodeLine::Mark::Added
                                                   : CodeLine::Mark::Plain,
            {}});
    }
    markRuns(lines);
    return lines;
}

} // namespace tilewright::ui
