// SPDX-License-Identifier: GPL-3.0-or-later
// A review as a row: three lines where it waits, one where it was decided. GUI thread.
#pragma once

#include "ui/widgets/table.h"

namespace tilewright::ui {

/// Whether what was gained has room beside the decision, which is never cut for it, in so many pixels; else it stands
/// in the line below.
bool hasRoomBeside(const QString& decision, const QString& gain, double width);

class ReviewDelegate : public RowDelegate
{
    Q_OBJECT

public:
    using RowDelegate::RowDelegate;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace tilewright::ui
