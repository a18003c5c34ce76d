// SPDX-License-Identifier: GPL-3.0-or-later
// The bar of a shape's ratio: dashed line at 1, tick at the baseline, hatched for held-out shapes. GUI thread.
#pragma once

#include "core/base/ids.h"
#include "ui/widgets/table.h"

namespace tilewright::ui {

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
