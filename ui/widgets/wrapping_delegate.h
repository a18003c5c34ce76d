// SPDX-License-Identifier: GPL-3.0-or-later
// Cells whose words take as many lines as they need, for tables that say something nowhere else. GUI thread.
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

/// Has the rows of the table be as high as such cells need, whenever columns or the size of the text change; after
/// other words the table's owner calls resizeRowsToContents().
void fitRowsToWords(Table& table);

} // namespace tilewright::ui
