// SPDX-License-Identifier: GPL-3.0-or-later
// The per-shape table of a candidate's latest evaluation, as high as its rows, with a legend. GUI thread.
#pragma once

#include "core/base/ids.h"
#include "ui/models/runs_model.h"
#include "ui/widgets/table.h"

#include <QWidget>

class QLabel;

namespace tilewright::ui {

class ShapeBarDelegate;
class Table;

class ShapesTable : public QWidget
{
    Q_OBJECT

public:
    ShapesTable(const QString& tableName, QWidget* parent);
    void show(const Candidate& candidate, const Evaluation* evaluation, const Task* task);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitColumns();

    ShapeModel m_model;
    Table* m_table;
    ShapeBarDelegate* m_delegate;
    QLabel* m_legend;
};

// The bar of a shape's ratio: dashed line at 1, tick at the baseline, hatched for held-out shapes. GUI thread.

class ShapeBarDelegate : public RowDelegate
{
    Q_OBJECT

public:
    using RowDelegate::RowDelegate;
    void setIsland(IslandId island) { m_island = island; }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    IslandId m_island;
};

} // namespace tilewright::ui
