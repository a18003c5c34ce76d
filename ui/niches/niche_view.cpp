// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/niches/niche_view.h"

#include "core/model/requests/conversation.h"
#include "ui/models/display_text.h"
#include "ui/models/figures.h"
#include "ui/theme/theme.h"
#include "ui/widgets/paint.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

NicheView::NicheView(QWidget* parent)
    : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumSize(px(300), px(110));
    connect(&Theme::instance(), &Theme::changed, this, [this] { update(); });
}

void NicheView::show(SnapshotPtr snapshot, const NicheChart& chart)
{
    m_snapshot = std::move(snapshot);
    m_chart = chart;
    const auto line = [](const NicheLine& axis) {
        return axis.term == axis.name || axis.name.isEmpty() ? QString() : u"%1: %2"_s.arg(axis.name, axis.term);
    };
    QStringList tip{line(m_chart.across), line(m_chart.up)};
    tip.removeAll(QString());
    setToolTip(tip.join(u'\n'));
    m_cursor = {std::clamp(m_cursor.x(), firstColumn(), firstColumn() + columns() - 1),
        std::clamp(m_cursor.y(), firstRow(), firstRow() + rows() - 1)};
    update();
}

void NicheView::setSelected(CandidateId candidate)
{
    m_selected = candidate;
    for (const NicheCell& cell : m_chart.cells)
        if (cell.elite == candidate)
            m_cursor = {cell.column, cell.row};
    update();
}

int NicheView::columns() const
{
    int last = m_chart.across.bins() - 1;
    for (const NicheCell& cell : m_chart.cells)
        last = std::max(last, cell.column);
    return last - firstColumn() + 1;
}

int NicheView::rows() const
{
    int last = m_chart.up.bins() - 1;
    for (const NicheCell& cell : m_chart.cells)
        last = std::max(last, cell.row);
    return last - firstRow() + 1;
}

QRectF NicheView::area() const
{
    const QFontMetricsF metrics(fontOf(Type::Tick));
    qreal left = metrics.horizontalAdvance(m_chart.up.name);
    for (int row = firstRow(); row < firstRow() + rows(); ++row)
        left = std::max(left, metrics.horizontalAdvance(boundsText(m_chart.up, row)));
    left = std::min(left, width() * 0.3) + px(16);
    const qreal line = metrics.height();
    return QRectF(
        left, line + px(8), std::max(width() - left - px(12), 1.0), std::max(height() - 3 * line - px(18), 1.0));
}

QRectF NicheView::cellRect(int column, int row) const
{
    const QRectF all = area();
    const qreal wide = all.width() / columns(), high = all.height() / rows();
    return QRectF(
        all.left() + (column - firstColumn()) * wide, all.bottom() - (row - firstRow() + 1) * high, wide, high)
        .adjusted(1, 1, -1, -1);
}

const NicheCell* NicheView::cellAt(const QPointF& pixel) const
{
    for (const NicheCell& cell : m_chart.cells)
        if (cellRect(cell.column, cell.row).contains(pixel))
            return &cell;
    return nullptr;
}

void NicheView::paintCell(QPainter& painter, int column, int row) const
{
    const Tokens& t = tokens();
    const QRectF rect = cellRect(column, row);
    const NicheCell* cell = m_chart.at(column, row);
    const Candidate* elite = cell ? m_snapshot->run.candidate(cell->elite) : nullptr;
    painter.setPen(Qt::NoPen);
    painter.setBrush(t.track);
    painter.drawRoundedRect(rect, 3, 3);
    if (column < 0 || row < 0) { // the feature is unknown there: told by a hatch, not by colour alone
        painter.setBrush(QBrush(t.strongBorder, Qt::BDiagPattern));
        painter.drawRoundedRect(rect, 3, 3);
    }
    if (elite && elite->isRanked()) {
        const QColor fill = scoreColour(t, scoreShade(m_snapshot->run, elite->score->value));
        // The hatch stays at the sides: the figure has the cell's height, whatever is known.
        const QRectF inner = column < 0 || row < 0 ? rect.adjusted(px(8), 0, -px(8), 0) : rect;
        painter.setBrush(fill);
        painter.drawRoundedRect(inner, 3, 3);
        painter.setFont(fontOf(Type::Strong));
        const QString shown = aboutSign(*elite) + times(elite->score->value);
        const QFontMetricsF metrics(painter.font());
        if (metrics.horizontalAdvance(shown) + px(6) <= inner.width() && metrics.height() <= inner.height()) {
            painter.setPen(contrast(Qt::black, fill) > contrast(Qt::white, fill) ? Qt::black : Qt::white);
            painter.drawText(inner, Qt::AlignCenter, shown);
        }
    }
    painter.setBrush(Qt::NoBrush);
    const Island* island = m_snapshot->run.island(m_chart.island);
    if (elite && island && island->best == elite->id) {
        painter.setPen(QPen(t.text, 2));
        painter.drawRoundedRect(rect, 3, 3);
    }
    if (elite && elite->id == m_selected) {
        painter.setPen(QPen(t.accent, 2));
        painter.drawRoundedRect(rect.adjusted(2, 2, -2, -2), 3, 3);
    }
    if (hasFocus() && m_cursor == QPoint(column, row)) {
        painter.setPen(QPen(t.accent, 2, Qt::DotLine));
        painter.drawRoundedRect(rect.adjusted(-1, -1, 1, 1), 3, 3);
    }
}

void NicheView::paintAxes(QPainter& painter) const
{
    painter.setFont(fontOf(Type::Tick));
    painter.setPen(tokens().secondary);
    const qreal line = QFontMetricsF(painter.font()).height();
    const QRectF all = area();
    // Where both bounds of a bin have no room, all bins but the outer ones show where they begin.
    bool fits = true;
    for (int column = firstColumn(); column < firstColumn() + columns(); ++column)
        fits = fits
            && QFontMetricsF(painter.font()).horizontalAdvance(boundsText(m_chart.across, column))
                <= cellRect(column, 0).width();
    for (int column = firstColumn(); column < firstColumn() + columns(); ++column) {
        const QRectF cell = cellRect(column, 0);
        const QString bounds = boundsText(m_chart.across, column);
        const QString shown
            = fits ? bounds : bounds.section(u" … "_s, 0, 0) + (bounds.contains(u'…') ? u" …"_s : u""_s);
        drawElided(painter, QRectF(cell.left(), all.bottom() + px(3), cell.width(), line),
            Qt::AlignHCenter | Qt::AlignVCenter, shown);
    }
    drawElided(painter, QRectF(all.left(), all.bottom() + line + px(5), all.width(), line),
        Qt::AlignHCenter | Qt::AlignVCenter, m_chart.across.name);
    for (int row = firstRow(); row < firstRow() + rows(); ++row) {
        const QRectF cell = cellRect(firstColumn(), row);
        if (m_chart.up.name.isEmpty() || cell.height() < line - 2)
            continue;
        drawElided(painter, QRectF(px(4), cell.center().y() - line / 2, all.left() - px(10), line),
            Qt::AlignRight | Qt::AlignVCenter, boundsText(m_chart.up, row));
    }
    drawElided(
        painter, QRectF(px(4), px(2), all.left() + px(120), line), Qt::AlignLeft | Qt::AlignVCenter, m_chart.up.name);
}

void NicheView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), tokens().panel);
    if (!m_chart.island) {
        painter.setFont(fontOf(Type::Prose));
        painter.setPen(tokens().secondary);
        painter.drawText(rect(), Qt::AlignCenter, tr("No session is open."));
        return;
    }
    for (int column = firstColumn(); column < firstColumn() + columns(); ++column)
        for (int row = firstRow(); row < firstRow() + rows(); ++row)
            paintCell(painter, column, row);
    paintAxes(painter);
}

void NicheView::moveTo(const QPoint& cell)
{
    m_cursor = {std::clamp(cell.x(), firstColumn(), firstColumn() + columns() - 1),
        std::clamp(cell.y(), firstRow(), firstRow() + rows() - 1)};
    if (const NicheCell* held = m_chart.at(m_cursor.x(), m_cursor.y()))
        Q_EMIT chosen(held->elite);
    update();
}

void NicheView::mousePressEvent(QMouseEvent* event)
{
    if (const NicheCell* cell = cellAt(event->position()))
        moveTo({cell->column, cell->row});
}

void NicheView::mouseMoveEvent(QMouseEvent* event)
{
    const NicheCell* cell = cellAt(event->position());
    Q_EMIT hovered(cell ? cell->elite : CandidateId{}, event->position().toPoint());
}

void NicheView::leaveEvent(QEvent*) { Q_EMIT hovered({}, {}); }

void NicheView::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Left:
        return moveTo(m_cursor - QPoint(1, 0));
    case Qt::Key_Right:
        return moveTo(m_cursor + QPoint(1, 0));
    case Qt::Key_Up:
        return moveTo(m_cursor + QPoint(0, 1));
    case Qt::Key_Down:
        return moveTo(m_cursor - QPoint(0, 1));
    default:
        QWidget::keyPressEvent(event);
    }
}

QString offeredBy(const RunState& run, const Candidate& candidate)
{
    if (const QString how = howCopied(run, candidate); !how.isEmpty())
        return how;
    const Proposal* proposal = run.proposal(candidate.proposal);
    return proposal ? text(authorOf(run, *proposal)) : NicheModel::tr("seed");
}

void NicheModel::show(SnapshotPtr snapshot, const NicheChart& chart)
{
    if (chart == m_chart) {
        m_snapshot = std::move(snapshot); // the same places; their holders' figures may have changed
        if (rowCount() > 0)
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        return;
    }
    beginResetModel();
    m_snapshot = std::move(snapshot);
    m_chart = chart;
    endResetModel();
}

int NicheModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_chart.cells.size());
}

int NicheModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(Column::Count);
}

QVariant NicheModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const NicheCell& cell = m_chart.cells[static_cast<std::size_t>(index.row())];
    const Candidate* elite = m_snapshot->run.candidate(cell.elite);
    const auto column = static_cast<Column>(index.column());
    if (role == IdRole)
        return QVariant::fromValue<qlonglong>(cell.elite.value);
    if (role == Qt::TextAlignmentRole)
        return QVariant((column == Column::Score || column == Column::Evaluation ? Qt::AlignRight : Qt::AlignLeft)
            | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case Column::Across:
        return boundsText(m_chart.across, cell.column);
    case Column::Up:
        return boundsText(m_chart.up, cell.row);
    case Column::Best:
        return nameOfCandidate(cell.elite);
    case Column::Score:
        return elite && elite->isRanked() ? bestWords(*elite) : u"–"_s;
    case Column::Author:
        return elite ? offeredBy(m_snapshot->run, *elite) : u"–"_s;
    case Column::Evaluation:
        return elite && elite->resultNumber ? grouped(elite->resultNumber) : u"–"_s;
    case Column::Count:
        break;
    }
    return {};
}

QVariant NicheModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (static_cast<Column>(section)) {
    case Column::Across:
        return m_chart.across.name.isEmpty() ? tr("Horizontal") : m_chart.across.name;
    case Column::Up:
        return m_chart.up.name.isEmpty() ? tr("Vertical") : m_chart.up.name;
    case Column::Best:
        return tr("Best");
    case Column::Score:
        return tr("Score");
    case Column::Author:
        return tr("By");
    case Column::Evaluation:
        return tr("Eval");
    case Column::Count:
        break;
    }
    return {};
}

} // namespace tilewright::ui
