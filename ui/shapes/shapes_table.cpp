// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shapes/shapes_table.h"

#include "core/model/evidence.h"
#include "ui/models/format.h"
#include "ui/shapes/shape_bar_delegate.h"
#include "ui/theme/theme.h"
#include "ui/widgets/table.h"

#include <QHeaderView>
#include <QLabel>
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
    QStringList legend{tr("dotted line: %1 = 1")
                           .arg(library ? tr("vendor (%1)").arg(text(describe(*library))) // its name, version and core
                                        : m_model.againstWords().mid(2))};
    if (m_model.against() == ShapeModel::Against::Vendor)
        legend << tr("tick: baseline");
    legend << (candidate.confirmed ? tr("hatched: held-out") : tr("held-out shapes are measured when it is confirmed"));
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

} // namespace tilewright::ui
