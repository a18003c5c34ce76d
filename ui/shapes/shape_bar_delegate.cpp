// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shapes/shape_bar_delegate.h"

#include "ui/models/shape_model.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/paint.h"

#include <QPainter>
#include <algorithm>

namespace tilewright::ui {

void ShapeBarDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Tokens& t = tokens();
    const auto column = static_cast<ShapeModel::Column>(index.column());
    painter->save();
    paintGround(*painter, option);
    const QRect area = option.rect.adjusted(px(6), 0, -px(6), -1);
    const bool heldout = index.data(ShapeModel::HeldoutRole).toBool();
    painter->setPen(t.text);
    if (column == ShapeModel::Column::Bar) {
        const double scale = index.data(ShapeModel::ScaleRole).toDouble() * 1.05;
        const double ratio = index.data(ShapeModel::RatioRole).toDouble();
        const QRectF track(area.left(), area.center().y() - px(4), area.width(), px(9));
        const auto x = [&](double value) { return track.left() + std::clamp(value / scale, 0.0, 1.0) * track.width(); };
        painter->fillRect(track, t.track);
        const QRectF bar(track.left(), track.top(), x(ratio) - track.left(), track.height());
        const QColor colour = Theme::instance().island(m_island);
        if (heldout) {
            QColor soft = colour;
            soft.setAlphaF(0.35F);
            painter->fillRect(bar, soft);
            painter->fillRect(bar, QBrush(colour, Qt::BDiagPattern));
        } else {
            painter->fillRect(bar, colour);
        }
        painter->setPen(QPen(t.text, 1, Qt::DotLine));
        painter->drawLine(QPointF(x(1), track.top() - 2), QPointF(x(1), track.bottom() + 2));
        const QVariant tick = index.data(ShapeModel::BaselineTickRole);
        if (tick.isValid()) {
            painter->setPen(QPen(t.text, 2));
            painter->drawLine(QPointF(x(tick.toDouble()), track.top()), QPointF(x(tick.toDouble()), track.bottom()));
        }
    } else if (column == ShapeModel::Column::Split && heldout) {
        const int side = px(12);
        painter->drawPixmap(area.left(), area.center().y() - side / 2,
            iconPixmap(
                QStringLiteral("lock"), t.secondary, side, option.widget ? option.widget->devicePixelRatioF() : 1));
        painter->setPen(t.secondary);
        painter->setFont(fontOf(Type::Secondary));
        drawElided(*painter, area.adjusted(side + px(3), 0, px(4), 0), Qt::AlignLeft | Qt::AlignVCenter,
            index.data().toString());
    } else {
        painter->setFont(fontOf(column == ShapeModel::Column::Shape ? Type::Mono
                : column == ShapeModel::Column::Ratio               ? Type::Strong
                                                                    : Type::Secondary));
        if (column == ShapeModel::Column::Split)
            painter->setPen(t.secondary);
        drawElided(*painter, area, index.data(Qt::TextAlignmentRole).toInt(), index.data().toString());
    }
    painter->restore();
}

} // namespace tilewright::ui
