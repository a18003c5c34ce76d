// SPDX-License-Identifier: GPL-3.0-or-later
// A review as a row: three lines where it waits, one where it was decided. GUI thread.
#pragma once

#include "ui/widgets/table.h"

namespace tilewright::ui {

class ReviewDelegate : public RowDelegate
{
    Q_OBJECT

public:
    using RowDelegate::RowDelegate;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace tilewright::ui
