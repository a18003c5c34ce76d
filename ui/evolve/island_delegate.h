// SPDX-License-Identifier: GPL-3.0-or-later
// One island as a card: badge, name, focus, best, sparkline, counts, niche grid. GUI thread.
#pragma once

#include "core/model/run_state.h"
#include "ui/session/selection_context.h"

#include <QRectF>
#include <QString>
#include <QStyledItemDelegate>

class QPainter;

namespace tilewright::ui {

class IslandDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    IslandDelegate(const SelectionContext& selection, QObject* parent);
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const SelectionContext& m_selection;
};

// Draws an island's MAP-Elites grid: one square a cell, viridis by the elite's score, a frame on the best. GUI thread.

/// task may be null: then the grid is as large as the cells in use. The rect holds the axis names too.
void drawNicheGrid(QPainter& painter, const QRectF& rect, const RunState& run, const Island& island, const Task* task);

} // namespace tilewright::ui
