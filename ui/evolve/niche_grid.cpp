// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/niche_grid.h"

#include "ui/models/figures.h"
#include "ui/models/format.h"
#include "ui/models/niche_words.h"
#include "ui/theme/theme.h"
#include "ui/widgets/paint.h"

#include <QPainter>
#include <algorithm>
#include <optional>

namespace tilewright::ui {
namespace {

using namespace Qt::StringLiterals;

struct Place {
    int column = 0, row = 0;
};

/// "3,1" → column 3, row 1; a single axis is one row. A feature that a program does not have is "unknown": −1.
std::optional<Place> placeOf(const std::string& cell)
{
    const auto number = [](const QString& part) -> std::optional<int> {
        bool known = false;
        const int value = part.toInt(&known);
        return known ? std::optional(value) : part == u"unknown"_s ? std::optional(-1) : std::nullopt;
    };
    const QStringList parts = text(cell).split(u',');
    const auto column = number(parts.value(0)), row = parts.size() > 1 ? number(parts[1]) : std::optional(0);
    return column && row ? std::optional(Place{*column, *row}) : std::nullopt;
}

} // namespace

void drawNicheGrid(QPainter& painter, const QRectF& rect, const RunState& run, const Island& island, const Task* task)
{
    int columns = 1, rows = 1;
    if (task && !task->niches.empty()) {
        columns = task->niches[0].bins;
        rows = task->niches.size() > 1 ? task->niches[1].bins : 1;
    }
    int firstColumn = 0, firstRow = 0; // −1 where programs without that feature have a line of their own
    for (const auto& [cell, elite] : island.niches)
        if (const auto place = placeOf(cell)) {
            columns = std::max(columns, place->column + 1);
            rows = std::max(rows, place->row + 1);
            firstColumn = std::min(firstColumn, place->column);
            firstRow = std::min(firstRow, place->row);
        }
    columns -= firstColumn;
    rows -= firstRow;
    const Tokens& t = tokens();
    painter.save();
    painter.setFont(fontOf(Type::Tick));
    const qreal line = QFontMetricsF(painter.font()).height();
    QString across, up;
    if (task && !task->niches.empty()) {
        across = axisName(task->niches[0].feature);
        if (task->niches.size() > 1)
            up = u"× "_s + axisName(task->niches[1].feature);
    }
    const QString axes = up.isEmpty() ? across : across + u' ' + up;
    const bool twoLines = QFontMetricsF(painter.font()).horizontalAdvance(axes) > rect.width();
    const QRectF area = rect.adjusted(0, 0, 0, -line * (twoLines ? 2 : 1) - px(2));
    const qreal gap = 1;
    const qreal width = (area.width() - gap * (columns - 1)) / columns;
    const qreal height = std::min((area.height() - gap * (rows - 1)) / rows, width * 0.8);
    const qreal top = area.bottom() - rows * height - (rows - 1) * gap;
    const auto cellRect = [&](const Place& place) {
        return QRectF(area.left() + (place.column - firstColumn) * (width + gap),
            top + (rows - 1 - place.row + firstRow) * (height + gap), width, height);
    };
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(t.track);
    for (int column = firstColumn; column < columns + firstColumn; ++column)
        for (int row = firstRow; row < rows + firstRow; ++row)
            painter.drawRoundedRect(cellRect({column, row}), 1.5, 1.5);
    painter.setPen(t.secondary);
    if (firstColumn < 0)
        painter.drawText(cellRect({-1, firstRow}), Qt::AlignCenter, u"?"_s);
    if (firstRow < 0)
        painter.drawText(cellRect({firstColumn, -1}), Qt::AlignCenter, u"?"_s);
    for (const auto& [cell, elite] : island.niches) {
        const auto place = placeOf(cell);
        const Candidate* candidate = run.candidate(elite);
        if (!place || !candidate || !candidate->score)
            continue;
        painter.setPen(elite == island.best ? QPen(t.text, 1.5) : QPen(Qt::NoPen));
        painter.setBrush(scoreColour(t, scoreShade(run, candidate->score->value)));
        painter.drawRoundedRect(cellRect(*place), 1.5, 1.5);
    }
    painter.setPen(t.secondary);
    const QRectF last(rect.left(), rect.bottom() - line, rect.width(), line);
    if (twoLines)
        drawElided(painter, last.translated(0, -line), Qt::AlignHCenter | Qt::AlignVCenter, across);
    drawElided(painter, last, Qt::AlignHCenter | Qt::AlignVCenter, twoLines ? up : axes);
    painter.restore();
}

} // namespace tilewright::ui
