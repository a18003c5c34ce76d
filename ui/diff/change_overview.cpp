// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/diff/change_overview.h"

#include "ui/theme/theme.h"

#include <QMouseEvent>
#include <QPainter>
#include <QTextBlock>
#include <algorithm>

namespace tilewright::ui {

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
    setToolTip(tr("Where the changes lie; a click goes there"));
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
