// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shapes/shapes_table.h"

#include "core/model/measurement/evidence.h"
#include "ui/models/display_text.h"
#include "ui/models/runs_model.h"
#include "ui/theme/theme.h"
#include "ui/widgets/paint.h"
#include "ui/widgets/table.h"

#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

ShapesTable::ShapesTable(const QString& tableName, QWidget* parent)
    : QWidget(parent)
    , m_table(new Table(this))
    , m_delegate(new ShapeBarDelegate(m_table))
    , m_legend(new QLabel(this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(px(4));
    column->addWidget(m_table);
    column->addWidget(m_legend);
    m_table->setObjectName(tableName);
    m_table->setAccessibleName(tr("Results by shape"));
    m_table->setModel(&m_model);
    m_table->setItemDelegate(m_delegate);
    m_table->setSelectionMode(QAbstractItemView::NoSelection);
    m_table->setRowHeight(px(22));
    m_table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->horizontalHeader()->setMinimumSectionSize(px(20));
    m_legend->setFont(fontOf(Type::Secondary));
    m_legend->setProperty("tone", u"secondary"_s);
    m_legend->setWordWrap(true);
}

void ShapesTable::show(const Candidate& candidate, const Evaluation* evaluation, const Task* task)
{
    m_model.show(candidate, evaluation, task);
    m_delegate->setIsland(candidate.island);
    const int rows = m_model.rowCount();
    setVisible(rows > 0);
    m_table->setFixedHeight(m_table->horizontalHeader()->height() + rows * px(22) + 1);
    const auto library = evaluation && m_model.against() == ShapeModel::Against::Vendor
        ? vendorLibraryOf(evaluation->result)
        : std::nullopt;
    QStringList legend{
        tr("dotted line: %1 = 1")
            .arg(library ? tr("vendor library (%1)").arg(text(describe(*library))) // its name, version and core
                         : m_model.againstWords().mid(2))};
    if (m_model.against() == ShapeModel::Against::Vendor)
        legend << tr("tick: baseline");
    legend << (candidate.confirmed ? tr("hatched: held-out") : tr("held-out shapes are measured at confirmation"));
    m_legend->setText(legend.join(u" · "_s));
    fitColumns();
}

void ShapesTable::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitColumns();
}

void ShapesTable::fitColumns()
{
    using Column = ShapeModel::Column;
    const QFontMetrics header(m_table->horizontalHeader()->font()), mono(fontOf(Type::Mono)),
        small(fontOf(Type::Secondary)), strong(fontOf(Type::Strong));
    const auto widest = [this](Column column, const QFontMetrics& font) {
        int width = 0;
        for (int row = 0; row < m_model.rowCount(); ++row)
            width = std::max(
                width, font.horizontalAdvance(m_model.index(row, static_cast<int>(column)).data().toString()));
        return width;
    };
    const int shape = std::max(widest(Column::Shape, mono), header.horizontalAdvance(tr("Shape")));
    const int ratio = std::max(widest(Column::Ratio, strong), header.horizontalAdvance(m_model.againstWords()));
    const auto widthsWith = [&](int gap) {
        std::array<int, static_cast<std::size_t>(Column::Count)> widths{};
        const auto set = [&widths](Column column, int width) { widths[static_cast<std::size_t>(column)] = width; };
        set(Column::Shape, shape + gap);
        set(Column::Split, small.horizontalAdvance(tr("train")) + gap + px(11));
        set(Column::Ratio, ratio + gap);
        set(Column::Rate, header.horizontalAdvance(tr("GFLOP/s")) + gap);
        set(Column::Time,
            std::max(header.horizontalAdvance(tr("Median")), small.horizontalAdvance(u"0.00 ms"_s)) + gap);
        return widths;
    };
    auto widths = widthsWith(px(17));
    int rest = width() - std::reduce(widths.begin(), widths.end());
    // In a narrow pane the bar is worth more than the figures that can be had by a tooltip.
    for (const Column least : {Column::Time, Column::Rate}) {
        const bool tight = rest < px(64);
        m_table->setColumnHidden(static_cast<int>(least), tight);
        if (tight)
            rest += std::exchange(widths[static_cast<std::size_t>(least)], 0);
    }
    const QString title = m_model.headerData(static_cast<int>(Column::Bar), Qt::Horizontal, Qt::DisplayRole).toString();
    const int least = header.horizontalAdvance(title) + px(17);
    if (rest < least) { // and than room between the others
        widths = widthsWith(px(10));
        rest = width();
        for (const Column kept : {Column::Shape, Column::Split, Column::Ratio})
            rest -= widths[static_cast<std::size_t>(kept)];
    }
    const bool isTooNarrow = rest < least; // bars of held-out shapes are hatched: no figure is cut for the word
    m_table->setColumnHidden(static_cast<int>(Column::Split), isTooNarrow);
    if (isTooNarrow)
        rest += std::exchange(widths[static_cast<std::size_t>(Column::Split)], 0);
    widths[static_cast<std::size_t>(Column::Bar)] = std::max(isTooNarrow ? px(24) : least, rest);
    for (int column = 0; column < static_cast<int>(Column::Count); ++column)
        m_table->setColumnWidth(column, widths[static_cast<std::size_t>(column)]);
}

void ShapeBarDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Tokens& t = tokens();
    const auto column = static_cast<ShapeModel::Column>(index.column());
    painter->save();
    paintGround(*painter, option);
    const QRect area = option.rect.adjusted(px(6), 0, -px(6), -1);
    const bool heldout = index.data(ShapeModel::HeldoutRole).toBool();
    painter->setPen(t.text);
    if (column == ShapeModel::Column::Bar) {
        const double scale = index.data(ShapeModel::ScaleRole).toDouble() * 1.05;
        const double ratio = index.data(ShapeModel::RatioRole).toDouble();
        const QRectF track(area.left(), area.center().y() - px(4), area.width(), px(9));
        const auto x = [&](double value) { return track.left() + std::clamp(value / scale, 0.0, 1.0) * track.width(); };
        painter->fillRect(track, t.track);
        const QRectF bar(track.left(), track.top(), x(ratio) - track.left(), track.height());
        const QColor colour = Theme::instance().island(m_island);
        if (heldout) {
            QColor soft = colour;
            soft.setAlphaF(0.35F);
            painter->fillRect(bar, soft);
            painter->fillRect(bar, QBrush(colour, Qt::BDiagPattern));
        } else {
            painter->fillRect(bar, colour);
        }
        painter->setPen(QPen(t.text, 1, Qt::DotLine));
        painter->drawLine(QPointF(x(1), track.top() - 2), QPointF(x(1), track.bottom() + 2));
        const QVariant tick = index.data(ShapeModel::BaselineTickRole);
        if (tick.isValid()) {
            painter->setPen(QPen(t.text, 2));
            painter->drawLine(QPointF(x(tick.toDouble()), track.top()), QPointF(x(tick.toDouble()), track.bottom()));
        }
    } else if (column == ShapeModel::Column::Split && heldout) {
        const int side = px(12);
        painter->drawPixmap(area.left(), area.center().y() - side / 2,
            iconPixmap(
                QStringLiteral("lock"), t.secondary, side, option.widget ? option.widget->devicePixelRatioF() : 1));
        painter->setPen(t.secondary);
        painter->setFont(fontOf(Type::Secondary));
        drawElided(*painter, area.adjusted(side + px(3), 0, px(4), 0), Qt::AlignLeft | Qt::AlignVCenter,
            index.data().toString());
    } else {
        painter->setFont(fontOf(column == ShapeModel::Column::Shape ? Type::Mono
                : column == ShapeModel::Column::Ratio               ? Type::Strong
                                                                    : Type::Secondary));
        if (column == ShapeModel::Column::Split)
            painter->setPen(t.secondary);
        drawElided(*painter, area, index.data(Qt::TextAlignmentRole).toInt(), index.data().toString());
    }
    painter->restore();
}

} // namespace tilewright::ui
