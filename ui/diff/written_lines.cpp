// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/diff/written_lines.h"

#include <algorithm>

namespace tilewright::ui {
namespace {

/// Lines that no edit may touch: all outside the EVOLVE-BLOCKs, and their markers.
void shadeLocked(std::vector<EditedLine>& lines, const std::vector<CodeLine>& texts)
{
    bool locked = true;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const bool begins = texts[i].text.contains(QStringLiteral("EVOLVE-BLOCK-START"));
        locked = locked || texts[i].text.contains(QStringLiteral("EVOLVE-BLOCK-END"));
        lines[i].isLocked = locked;
        locked = locked && !begins;
    }
}

} // namespace

WrittenLines writtenLines(const std::string& before, const std::string& after)
{
    SideBySide both = sideBySide(before, after, Unchanged::Shown, Whitespace::Counts);
    WrittenLines made;
    made.removed = both.removed;
    made.added = both.added;
    std::vector<CodeLine> texts;
    bool isAfterRemoved = false;
    for (std::size_t row = 0; row < both.left.size(); ++row) {
        CodeLine& left = both.left[row];
        CodeLine& right = both.right[row];
        const bool isBeside = left.mark != CodeLine::Mark::Filler;
        if (right.mark != CodeLine::Mark::Filler) {
            made.facing.push_back(static_cast<int>(made.before.size()) - (isBeside || made.before.empty() ? 0 : 1));
            made.after.push_back({right.mark == CodeLine::Mark::Added, false, std::exchange(isAfterRemoved, false),
                std::move(right.words)});
            texts.push_back(std::move(right));
        } else {
            isAfterRemoved = true; // at least this line has none of its own
        }
        if (isBeside)
            made.before.push_back(std::move(left));
    }
    shadeLocked(made.after, texts);
    return made;
}

} // namespace tilewright::ui
