// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/tile_views.h"

#include "ui/lab/tiling_words.h"
#include "ui/theme/theme.h"
#include "ui/widgets/paint.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int pictureStepMs = 120;
constexpr int mostGridLines = 64; ///< of a grid of tiles; finer ones are left out

} // namespace

TilePicture::TilePicture(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(u"tilePicture"_s);
    m_clock.setInterval(pictureStepMs);
    connect(&m_clock, &QTimer::timeout, this, &TilePicture::step);
}

QSize TilePicture::sizeHint() const { return {px(460), px(420)}; }
QSize TilePicture::minimumSizeHint() const { return {px(240), px(200)}; }

int TilePicture::steps() const { return std::max(1, static_cast<int>(std::ceil(m_matrices.k / m_tile.k))); }

QString TilePicture::words() const
{
    return tr("step %1 of %2 along K: one slab of A is %3 × %4, one of B is %4 × %5")
        .arg(m_step + 1)
        .arg(steps())
        .arg(m_tile.m)
        .arg(m_tile.k)
        .arg(m_tile.n);
}

void TilePicture::show(const Extent& matrices, const Extent& tile)
{
    m_matrices = matrices;
    m_tile = tile;
    m_step = std::min(m_step, steps() - 1);
    setAccessibleName(tr("One tile of C and the slabs of A and B that it needs"));
    update();
    Q_EMIT stepped(words());
}

void TilePicture::setPlaying(bool on)
{
    if (on)
        m_clock.start();
    else
        m_clock.stop();
}

void TilePicture::hideEvent(QHideEvent*) { m_clock.stop(); }

void TilePicture::step()
{
    m_step = (m_step + 1) % steps();
    update();
    Q_EMIT stepped(words());
}

void TilePicture::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Tokens& t = tokens();
    const QColor colours[] = {t.islands[0], t.islands[3], t.islands[2]};
    const qreal gap = px(18), heading = px(18), margin = px(10);
    // A lies left of C, B above it, so that rows of A and columns of B meet in the tile.
    const qreal scale = std::min((width() - 2 * margin - gap) / (m_matrices.k + m_matrices.n),
        (height() - 2 * margin - gap - heading) / (m_matrices.k + m_matrices.m));
    const QRectF c(margin + m_matrices.k * scale + gap, margin + heading + m_matrices.k * scale + gap,
        m_matrices.n * scale, m_matrices.m * scale);
    const QRectF a(margin, c.top(), m_matrices.k * scale, c.height());
    const QRectF b(c.left(), margin + heading, c.width(), m_matrices.k * scale);
    const auto tint = [](QColor colour, qreal strength) {
        colour.setAlphaF(static_cast<float>(strength));
        return colour;
    };
    painter.setFont(fontOf(Type::Strong));
    const auto matrix = [&](const QRectF& box, int which, const QString& name) {
        painter.fillRect(box, tint(colours[which], 0.14));
        painter.setPen(tint(colours[which], 0.6));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(box);
        painter.setPen(t.text);
        painter.drawText(QPointF(box.left(), box.top() - px(4)), name);
    };
    matrix(a, 0, u"A"_s);
    matrix(b, 1, u"B"_s);
    matrix(c, 2, u"C"_s);
    const int rows = static_cast<int>(std::ceil(m_matrices.m / m_tile.m)),
              columns = static_cast<int>(std::ceil(m_matrices.n / m_tile.n));
    painter.setPen(tint(colours[2], 0.5));
    for (int row = 1; row < rows && rows <= mostGridLines; ++row)
        painter.drawLine(
            QPointF(c.left(), c.top() + row * m_tile.m * scale), QPointF(c.right(), c.top() + row * m_tile.m * scale));
    for (int column = 1; column < columns && columns <= mostGridLines; ++column)
        painter.drawLine(QPointF(c.left() + column * m_tile.n * scale, c.top()),
            QPointF(c.left() + column * m_tile.n * scale, c.bottom()));
    const double top = rows / 2 * m_tile.m, left = columns / 2 * m_tile.n, depth = m_step * m_tile.k;
    const auto clipped = [&](double x, double y, double w, double h, const QRectF& box) {
        return QRectF(box.left() + x * scale, box.top() + y * scale, std::max(2.0, w * scale), std::max(2.0, h * scale))
            .intersected(box.adjusted(0, 0, 1, 1));
    };
    painter.setPen(Qt::NoPen);
    painter.fillRect(clipped(0, top, m_matrices.k, m_tile.m, a), tint(colours[0], 0.25));
    painter.fillRect(clipped(left, 0, m_tile.n, m_matrices.k, b), tint(colours[1], 0.25));
    painter.fillRect(clipped(depth, top, m_tile.k, m_tile.m, a), colours[0]);
    painter.fillRect(clipped(left, depth, m_tile.n, m_tile.k, b), colours[1]);
    const QRectF tile = clipped(left, top, m_tile.n, m_tile.m, c);
    painter.fillRect(tile, colours[2]);
    painter.setPen(QPen(t.text, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(tile);
}

TileMap::TileMap(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(u"tileMap"_s);
    setFocusPolicy(Qt::StrongFocus);
}

void TileMap::show(const QString& rowName, const std::vector<int>& rows, const QString& columnName,
    const std::vector<int>& columns, std::vector<Cell> cells, int chosen)
{
    m_rowName = rowName;
    m_columnName = columnName;
    m_rows = rows;
    m_columns = columns;
    m_cells = std::move(cells);
    m_chosen = chosen;
    QString spoken = tr("Map of tiles by %1 and %2").arg(rowName, columnName);
    if (chosen >= 0) {
        const Cell& cell = m_cells[static_cast<std::size_t>(chosen)];
        spoken += tr(", chosen: %1, %2").arg(cell.value, cell.words);
    }
    setAccessibleName(spoken);
    update();
}

QSize TileMap::sizeHint() const { return {px(420), px(320)}; }
QSize TileMap::minimumSizeHint() const { return {px(260), px(190)}; }

QRectF TileMap::area() const { return QRectF(rect()).adjusted(px(58), px(12), -px(12), -px(42)); }

QRectF TileMap::cellAt(int row, int column) const
{
    const QRectF box = area();
    const qreal wide = box.width() / static_cast<qreal>(m_columns.size()),
                high = box.height() / static_cast<qreal>(m_rows.size());
    return {box.left() + wide * column, box.bottom() - high * (row + 1), wide, high};
}

void TileMap::paintEvent(QPaintEvent*)
{
    if (m_rows.empty() || m_columns.empty())
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Tokens& t = tokens();
    const int wide = static_cast<int>(m_columns.size()), high = static_cast<int>(m_rows.size());
    const int figureHeight = QFontMetrics(fontOf(Type::Strong)).height();
    const int noteHeight = QFontMetrics(fontOf(Type::Tick)).height();
    for (int row = 0; row < high; ++row)
        for (int column = 0; column < wide; ++column) {
            const int index = row * wide + column;
            const Cell& cell = m_cells[static_cast<std::size_t>(index)];
            const QRectF box = cellAt(row, column).adjusted(2, 2, -2, -2);
            const QColor ground = cell.shade < 0 ? t.track : viridis(cell.shade);
            painter.setPen(Qt::NoPen);
            painter.setBrush(ground);
            painter.drawRoundedRect(box, 3, 3);
            if (cell.verdict != TileVerdict::JustRight) { // never by colour alone: hatched, and told in words
                painter.setBrush(
                    QBrush(cell.verdict == TileVerdict::TooLarge ? QColor(0, 0, 0, 110) : QColor(0, 0, 0, 70),
                        cell.verdict == TileVerdict::TooLarge ? Qt::BDiagPattern : Qt::Dense6Pattern));
                painter.drawRoundedRect(box, 3, 3);
            }
            painter.setPen(contrast(ground, Qt::white) > contrast(ground, Qt::black) ? Qt::white : Qt::black);
            // Low cells show the figure alone, or nothing; the tooltip has both.
            const bool hasBoth = box.height() >= 2 * std::max(figureHeight, noteHeight);
            const QRectF upper = hasBoth ? box.adjusted(3, 0, -3, -box.height() / 2) : box.adjusted(3, 0, -3, 0);
            painter.setFont(fontOf(Type::Strong));
            if (box.height() >= figureHeight)
                drawElided(painter, upper,
                    hasBoth ? Qt::AlignHCenter | Qt::AlignBottom : Qt::AlignHCenter | Qt::AlignVCenter, cell.value);
            painter.setFont(fontOf(Type::Tick));
            if (hasBoth)
                drawElided(
                    painter, box.adjusted(3, box.height() / 2, -3, 0), Qt::AlignHCenter | Qt::AlignTop, cell.note);
            if (index == m_chosen) {
                painter.setBrush(Qt::NoBrush);
                painter.setPen(QPen(t.text, 3));
                painter.drawRoundedRect(box, 4, 4);
            }
        }
    painter.setFont(fontOf(Type::Secondary));
    painter.setPen(t.secondary);
    const bool hasRowNumbers = high > 0 && cellAt(0, 0).height() >= painter.fontMetrics().height();
    for (int row = 0; row < high && hasRowNumbers; ++row)
        painter.drawText(QRectF(px(18), cellAt(row, 0).top(), px(34), cellAt(row, 0).height()),
            Qt::AlignRight | Qt::AlignVCenter, QString::number(m_rows[static_cast<std::size_t>(row)]));
    for (int column = 0; column < wide; ++column)
        painter.drawText(QRectF(cellAt(0, column).left(), area().bottom(), cellAt(0, column).width(), px(20)),
            Qt::AlignCenter, QString::number(m_columns[static_cast<std::size_t>(column)]));
    painter.drawText(
        QRectF(area().left(), area().bottom() + px(20), area().width(), px(20)), Qt::AlignCenter, m_columnName);
    painter.save();
    painter.translate(px(10), area().center().y());
    painter.rotate(-90);
    drawElided(painter, QRectF(-area().height() / 2, -px(10), area().height(), px(20)), Qt::AlignCenter, m_rowName);
    painter.restore();
    if (hasFocus()) {
        painter.setPen(QPen(t.accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(rect().adjusted(1, 1, -2, -2), 4, 4);
    }
}

int TileMap::indexAt(const QPointF& place) const
{
    const int wide = static_cast<int>(m_columns.size());
    for (int row = 0; row < static_cast<int>(m_rows.size()); ++row)
        for (int column = 0; column < wide; ++column)
            if (cellAt(row, column).contains(place))
                return row * wide + column;
    return -1;
}

bool TileMap::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int index = indexAt(help->pos());
    if (index < 0)
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), m_cells[static_cast<std::size_t>(index)].words.toHtmlEscaped(), this);
    return true;
}

void TileMap::mousePressEvent(QMouseEvent* event)
{
    const int index = indexAt(event->position()), wide = static_cast<int>(m_columns.size());
    if (index >= 0)
        Q_EMIT chosen(index / wide, index % wide);
}

void TileMap::keyPressEvent(QKeyEvent* event)
{
    const int wide = static_cast<int>(m_columns.size()), high = static_cast<int>(m_rows.size());
    const int byRow = event->key() == Qt::Key_Up ? 1 : event->key() == Qt::Key_Down ? -1 : 0;
    const int byColumn = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    if ((byRow == 0 && byColumn == 0) || wide == 0)
        return QWidget::keyPressEvent(event);
    const int from = std::max(0, m_chosen);
    Q_EMIT chosen(std::clamp(from / wide + byRow, 0, high - 1), std::clamp(from % wide + byColumn, 0, wide - 1));
}

void VerdictBar::show(TileVerdict verdict)
{
    m_verdict = verdict;
    setAccessibleName(tr("Verdict: %1").arg(nameOf(verdict)));
    update();
}

QSize VerdictBar::sizeHint() const { return {px(240), px(26)}; }

void VerdictBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Tokens& t = tokens();
    const qreal wide = width() / 3.0;
    int at = 0;
    for (const TileVerdict each : {TileVerdict::TooSmall, TileVerdict::JustRight, TileVerdict::TooLarge}) {
        const QRectF box(wide * at++, 0, wide - 2, height());
        const bool is = each == m_verdict;
        const bool isGood = each == TileVerdict::JustRight;
        painter.fillRect(box, is ? (isGood ? t.goodPill : t.warningPill) : t.track);
        painter.setFont(fontOf(is ? Type::Strong : Type::Secondary));
        painter.setPen(is ? (isGood ? t.good : t.warning) : t.secondary);
        painter.drawText(box, Qt::AlignCenter, nameOf(each));
    }
}

} // namespace tilewright::ui
