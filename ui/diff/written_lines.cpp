// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/diff/written_lines.h"

#include "core/base/block_markers.h"
#include "ui/theme/theme.h"

#include <QMouseEvent>
#include <QPainter>
#include <QTextBlock>
#include <algorithm>

namespace tilewright::ui {
namespace {

/// Lines that no edit may touch: all outside the EVOLVE-BLOCKs, and their markers.
void shadeLocked(std::vector<EditedLine>& lines, const std::string& text)
{
    const std::vector<BlockMarker> markers = blockMarkers(text);
    auto marker = markers.begin();
    bool locked = true;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const bool isMarker = marker != markers.end() && marker->line == i;
        lines[i].isLocked = locked || isMarker;
        if (isMarker)
            locked = !(marker++)->isStart;
    }
}

} // namespace

WrittenLines writtenLines(const std::string& before, const std::string& after, Whitespace whitespace)
{
    SideBySide both = sideBySide(before, after, whitespace);
    WrittenLines made;
    made.removed = both.removed;
    made.added = both.added;
    int without = 0; ///< rows since the last line that have none of their own
    for (std::size_t row = 0; row < both.left.size(); ++row) {
        CodeLine& right = both.right[row];
        if (right.mark == CodeLine::Mark::Filler) {
            ++without;
            if (!made.roomBelow.empty())
                ++made.roomBelow.back();
            continue;
        }
        const bool isFirst = made.rows.empty();
        made.rows.push_back(static_cast<int>(row));
        made.roomBelow.push_back(isFirst ? without : 0); // a text has no room above it
        made.after.push_back(
            {right.mark == CodeLine::Mark::Added, false, std::exchange(without, 0) > 0, std::move(right.words)});
    }
    const auto lineIn
        = [&made](int row) { return static_cast<int>(std::ranges::lower_bound(made.rows, row) - made.rows.begin()); };
    for (const Fold& fold : both.folds) // without changes, and so without filler lines
        made.folds.push_back({lineIn(fold.first), fold.rows, fold.lines});
    for (const int row : both.changes)
        made.changes.push_back(lineIn(row));
    made.before = std::move(both.left);
    shadeLocked(made.after, after);
    return made;
}

std::vector<CodeLine::Mark> writtenMarks(const WrittenLines& lines)
{
    std::vector<CodeLine::Mark> marks(lines.before.size(), CodeLine::Mark::Plain);
    for (std::size_t i = 0; i < lines.rows.size(); ++i)
        if (lines.after[i].isChanged)
            marks[static_cast<std::size_t>(lines.rows[i])] = CodeLine::Mark::Added;
    return marks;
}

RoomBeside roomBeside(const WrittenLines& lines, const std::vector<int>& before, const std::vector<int>& after)
{
    RoomBeside room{std::vector<int>(before.size()), std::vector<int>(after.size())};
    const std::size_t faced = std::min(lines.rows.size(), after.size());
    // An empty line at the end of the written text has a row of its own beside it.
    const std::size_t rows = before.size() - (after.size() > lines.rows.size() && !before.empty() ? 1 : 0);
    for (std::size_t i = 0; i < faced; ++i) {
        const std::size_t first = i == 0 ? 0 : static_cast<std::size_t>(lines.rows[i]);
        const std::size_t end = i + 1 < lines.rows.size() ? static_cast<std::size_t>(lines.rows[i + 1]) : rows;
        int height = 0;
        std::size_t last = end; // that is seen
        for (std::size_t row = first; row < std::min(end, before.size()); ++row)
            if (before[row] > 0) {
                height += before[row];
                last = row;
            }
        if (last == end || after[i] == 0)
            continue; // folded
        room.after[i] = std::max(height - after[i], 0);
        room.before[last] = std::max(after[i] - height, 0);
    }
    return room;
}

std::vector<CodeLine::Mark> seenMarks(const FoldingEdit& view, const std::vector<CodeLine::Mark>& marks)
{
    std::vector<CodeLine::Mark> seen;
    QTextBlock row = view.document()->begin();
    for (const CodeLine::Mark mark : marks) {
        if (row.isVisible())
            seen.push_back(mark);
        row = row.next();
    }
    return seen;
}

std::vector<CodeLine::Mark> seenMarks(const CodeView& view)
{
    std::vector<CodeLine::Mark> marks;
    for (const CodeLine& line : view.lines())
        marks.push_back(line.mark);
    return seenMarks(view, marks);
}

ChangeOverview::ChangeOverview(QWidget* parent)
    : QWidget(parent)
{
    setFixedWidth(px(18));
    setAccessibleName(tr("Overview of the changes"));
    setToolTip(tr("Positions of the changes; click to go to one"));
    connect(&Theme::instance(), &Theme::changed, this, [this] { update(); });
}

void ChangeOverview::setRows(std::vector<CodeLine::Mark> left, std::vector<CodeLine::Mark> right)
{
    m_left = std::move(left);
    m_right = std::move(right);
    update();
}

void ChangeOverview::setView(int first, int count)
{
    if (first == m_first && count == m_count)
        return;
    m_first = first;
    m_count = count;
    update();
}

void ChangeOverview::paintEvent(QPaintEvent*)
{
    const Tokens& t = tokens();
    QPainter painter(this);
    painter.fillRect(rect(), t.panel);
    painter.fillRect(QRectF(0, 0, 1, height()), t.border);
    if (m_left.empty())
        return;
    // A text shorter than the view lies beside its own lines.
    const double rows = std::max<double>(static_cast<double>(m_left.size()), m_count);
    const double step = height() / std::max(rows, 1.0);
    painter.fillRect(QRectF(1, m_first * step, width() - 1, std::min<double>(m_count, rows) * step), t.raised);
    const double half = (width() - px(5)) / 2.0;
    const auto mark = [&](std::size_t row, double x, const QColor& colour) {
        painter.fillRect(QRectF(x, static_cast<double>(row) * step, half, std::max(step, 2.0)), colour);
    };
    for (std::size_t row = 0; row < m_left.size(); ++row) {
        if (m_left[row] == CodeLine::Mark::Removed)
            mark(row, px(2), t.bad);
        if (row < m_right.size() && m_right[row] == CodeLine::Mark::Added)
            mark(row, px(3) + half, t.good);
    }
}

void ChangeOverview::choose(double y)
{
    const double rows = std::max<double>(static_cast<double>(m_left.size()), m_count);
    if (!m_left.empty() && height() > 0)
        Q_EMIT rowChosen(std::clamp(static_cast<int>(y / height() * rows), 0, static_cast<int>(m_left.size()) - 1));
}

void ChangeOverview::mousePressEvent(QMouseEvent* event) { choose(event->position().y()); }

void ChangeOverview::mouseMoveEvent(QMouseEvent* event)
{
    if (event->buttons() & Qt::LeftButton)
        choose(event->position().y());
}

} // namespace tilewright::ui
