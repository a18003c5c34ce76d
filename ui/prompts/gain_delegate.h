// SPDX-License-Identifier: GPL-3.0-or-later
// A version's mean gain as a dot on its interval, on one axis for all versions of the template, before the words that
// say the same; what has no mean has its words alone. GUI thread.
#pragma once

#include "ui/widgets/table.h"

namespace tilewright::ui {

class GainDelegate : public RowDelegate
{
    Q_OBJECT

public:
    using RowDelegate::RowDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    /// Where in the cell the axis is.
    static QRectF axisIn(const QRect& cell);
};

} // namespace tilewright::ui
