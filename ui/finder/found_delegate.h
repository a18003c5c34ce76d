// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a row of the finder: icon, candidate with its island's badge, the line with what matched in it, and a remark at
// the right. What matched is bold and underlined, so that it needs no colour. GUI thread.
#pragma once

#include "ui/widgets/table.h"

namespace tilewright::ui {

class FoundDelegate : public RowDelegate
{
    Q_OBJECT

public:
    static constexpr int foundRole = Qt::UserRole; ///< a Found; without one the row is a heading or a remark

    using RowDelegate::RowDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace tilewright::ui
