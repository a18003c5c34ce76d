// SPDX-License-Identifier: GPL-3.0-or-later
// Cells whose words take as many lines as they need, for tables that say something nowhere else. The table needs
// setWordWrap(true), and resizeRowsToContents() once words or widths have changed. GUI thread.
#pragma once

#include "ui/widgets/table.h"

namespace tilewright::ui {

class WrappingDelegate : public RowDelegate
{
    Q_OBJECT

public:
    using RowDelegate::RowDelegate;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace tilewright::ui
