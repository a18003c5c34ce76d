// SPDX-License-Identifier: GPL-3.0-or-later
// One island as a card: badge, name, focus, best, sparkline, counts, niche grid. GUI thread.
#pragma once

#include "ui/session/selection_context.h"

#include <QStyledItemDelegate>

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

} // namespace tilewright::ui
