// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/island_delegate.h"

#include "core/model/best.h"
#include "core/model/measurement/steadiness.h"
#include "ui/models/activity_words.h"
#include "ui/models/display_text.h"
#include "ui/models/figures.h"
#include "ui/models/island_model.h"
#include "ui/theme/theme.h"
#include "ui/widgets/paint.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <optional>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

/// Who is asked for this island's edits, or offered them so far: one bar with a part for each proposer, names and
/// shares below. Its bottom.
qreal drawMix(QPainter& painter, const QRectF& rect, const IslandModel& model, int row, const QColor& colour)
{
    const Tokens& t = tokens();
    const QRectF bar(rect.left(), rect.top(), rect.width(), px(4));
    painter.fillRect(bar, t.track);
    const std::map<std::string, double> mix = model.mix(row);
    double all = 0;
    for (const auto& [name, weight] : mix)
        all += weight;
    double done = 0, strength = 1;
    for (const auto& [name, weight] : mix) {
        const double part = weight / all;
        QColor shade = colour;
        shade.setAlphaF(static_cast<float>(strength));
        const qreal gap = done > 0 ? 1 : 0; // parts stand apart without colour, too
        painter.fillRect(
            QRectF(bar.left() + done * bar.width() + gap, bar.top(), part * bar.width() - gap, bar.height()), shade);
        done += part;
        strength = std::max(0.25, strength - 0.55);
    }
    painter.setFont(fontOf(Type::Tick));
    painter.setPen(t.secondary);
    const QStringList parts = model.mixParts(row);
    const QFontMetricsF metrics(painter.font());
    const QRectF names(rect.left(), bar.bottom() + px(2), rect.width(), px(15));
    if (parts.size() == 2 && metrics.horizontalAdvance(parts.join(u", "_s)) <= names.width()) {
        painter.drawText(names, Qt::AlignLeft | Qt::AlignVCenter, parts.first());
        painter.drawText(names, Qt::AlignRight | Qt::AlignVCenter, parts.last());
    } else {
        drawElided(painter, names, Qt::AlignLeft | Qt::AlignVCenter,
            all > 0 ? wholeParts(parts, metrics, names.width()) : QObject::tr("no proposals yet"));
    }
    return rect.bottom();
}

} // namespace

IslandDelegate::IslandDelegate(const SelectionContext& selection, QObject* parent)
    : QStyledItemDelegate(parent)
    , m_selection(selection)
{
}

QSize IslandDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const { return {px(120), px(188)}; }

void IslandDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const auto* model = qobject_cast<const IslandModel*>(index.model());
    if (!model)
        return;
    const Tokens& t = tokens();
    const Island& island = model->at(index.row());
    const RunState& run = model->snapshot()->run;
    const Candidate* best = shownBest(run, island);
    const QColor colour = Theme::instance().island(island.id);
    const bool chosen = m_selection.islands().contains(island.id);
    const QString standing = model->standingOf(index.row());
    const bool dimmed = !m_selection.shows(island.id) || island.standing == Standing::Ended;

    painter->save();
    if (dimmed)
        painter->setOpacity(0.6);
    painter->fillRect(option.rect, chosen ? t.selected : (option.state & QStyle::State_MouseOver) ? t.raised : t.panel);
    if (chosen)
        painter->fillRect(option.rect.left(), option.rect.top(), 3, option.rect.height(), colour);
    painter->fillRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1, t.border);

    const QRectF box = QRectF(option.rect).adjusted(px(14), px(12), -px(12), -px(10));
    QRectF row(box.left(), box.top(), box.width(), px(20));
    drawBadge(*painter, QRectF(row.left(), row.center().y() - px(8.5), px(17), px(17)), island.id);
    const QString score = best && best->score ? bestWords(*best) : u"–"_s;
    painter->setPen(t.text);
    QFont strong = fontOf(Type::Prose);
    strong.setWeight(QFont::DemiBold);
    painter->setFont(strong);
    const QFontMetricsF wide(strong);
    if (best && isProvisional(*best)) {
        painter->setPen(t.secondary);
        painter->setFont(fontOf(Type::Prose));
    }
    painter->drawText(row, Qt::AlignRight | Qt::AlignVCenter, score);
    painter->setPen(t.text);
    painter->setFont(strong);
    const bool isOfAnotherTime = best && scaleApart(run, *best) != 0; // the tooltip says so in words
    const int warning = isOfAnotherTime ? px(14) : 0;
    if (isOfAnotherTime)
        painter->drawPixmap(
            QPointF(row.right() - wide.horizontalAdvance(score) - px(4) - warning, row.center().y() - warning / 2.0),
            iconPixmap(u"warn"_s, t.warning, warning, painter->device()->devicePixelRatioF()));
    const QString focus = model->aimOf(index.row());
    const qreal left = row.left() + px(24),
                right = row.right() - wide.horizontalAdvance(score) - px(8) - (warning ? warning + px(4) : 0);
    const QString name = text(island.name);
    const qreal nameWidth = std::min(wide.horizontalAdvance(name) + 1, std::max(0.0, right - left));
    drawElided(*painter, QRectF(left, row.top(), nameWidth, row.height()), Qt::AlignLeft | Qt::AlignVCenter, name);
    const QRectF afterName(left + nameWidth + px(8), row.top(), right - left - nameWidth - px(8), row.height());
    if (pillWidth(focus) <= afterName.width()) // the name comes first, and half an aim tells nothing
        drawPill(*painter, afterName, focus, t.track, t.secondary);

    row.translate(0, px(21));
    painter->setFont(fontOf(Type::Mono));
    painter->setPen(t.secondary);
    const QString bestName = best ? nameOfCandidate(best->id) : QString();
    const QString trouble = model->troubleOf(index.row()), wait = model->waitOf(index.row());
    const bool isTold = standing.isEmpty() && wait.isEmpty() && !trouble.isEmpty();
    if (!isTold) // what is amiss is read whole, rather than whose the score is
        painter->drawText(row, Qt::AlignRight | Qt::AlignVCenter, bestName);
    painter->setFont(fontOf(Type::Secondary));
    QRectF aside = row;
    if (!isTold)
        aside.adjust(0, 0, -QFontMetricsF(fontOf(Type::Mono)).horizontalAdvance(bestName) - px(8), 0);
    const auto mark = [&](const QString& sign, const QColor& ink) {
        const int side = px(14);
        painter->drawPixmap(QPointF(aside.left(), aside.center().y() - side / 2.0),
            iconPixmap(sign, ink, side, painter->device()->devicePixelRatioF()));
        painter->setPen(ink);
        aside.adjust(side + px(4), 0, 0, 0);
    };
    if (!standing.isEmpty())
        mark(island.standing == Standing::Paused ? u"pause"_s : u"fork"_s, t.text);
    else if (!wait.isEmpty())
        mark(u"chat"_s, t.text);
    else if (isTold)
        mark(u"warn"_s, t.warning);
    if (isTold)
        row.setHeight(
            std::max(row.height(), drawInTwoLines(*painter, aside.adjusted(0, px(2), 0, 0), trouble) + px(2)));
    else
        drawElided(*painter, aside, Qt::AlignLeft | Qt::AlignVCenter,
            !standing.isEmpty()   ? standing
                : !wait.isEmpty() ? wait
                                  : u"%1 · %2"_s.arg(text(island.strategy),
                                      counted(island.admissions, tr("%1 new member"), tr("%1 new members"))));

    const qreal belowMix
        = drawMix(*painter, QRectF(box.left(), row.bottom() + px(2), box.width(), px(21)), *model, index.row(), colour);
    const qreal top = belowMix + px(8), half = (box.width() - px(20)) / 2;
    const QRectF spark(box.left(), top, half, px(42));
    painter->fillRect(QRectF(spark.left(), spark.bottom(), spark.width(), 1), t.border);
    auto trace = island.bestTrace;
    double high = 1.05;
    for (auto& [evaluation, value] : trace)
        high = std::max(high, value);
    for (auto& [evaluation, value] : trace)
        value = std::log(std::max(value, 0.5));
    drawSparkline(*painter, spark, trace, run.resultsEver, std::log(0.9), std::log(high) + 0.02, colour);

    const auto count = [&](qreal y, const QString& label, const QString& value) {
        const QRectF line(box.left(), y, half, px(17));
        painter->setFont(fontOf(Type::Secondary));
        painter->setPen(t.secondary);
        const qreal taken = painter->fontMetrics().horizontalAdvance(value) + px(4);
        drawElided(*painter, line.adjusted(0, 0, -taken, 0), Qt::AlignLeft | Qt::AlignVCenter, label);
        painter->setPen(t.text);
        painter->drawText(line, Qt::AlignRight | Qt::AlignVCenter, value);
    };
    const auto cell = [&](IslandModel::Column column) {
        return model->index(index.row(), static_cast<int>(column)).data().toString();
    };
    count(spark.bottom() + px(7), tr("population"), cell(IslandModel::Column::Population));
    count(spark.bottom() + px(24), tr("niches"), cell(IslandModel::Column::Cells));
    const auto& pack = model->snapshot()->pack;
    drawNicheGrid(*painter, QRectF(box.right() - half, top - px(2), half, box.bottom() - top + px(4)), run, island,
        pack ? &pack->task : nullptr);
    if ((option.state & QStyle::State_HasFocus) && (option.state & QStyle::State_KeyboardFocusChange)) {
        painter->setOpacity(1);
        painter->setPen(QPen(t.accent, 2));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(option.rect.adjusted(1, 1, -2, -2));
    }
    painter->restore();
}

namespace {

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
