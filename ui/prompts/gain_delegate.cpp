// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompts/gain_delegate.h"

#include "ui/prompts/version_model.h"
#include "ui/theme/theme.h"
#include "ui/widgets/paint.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

namespace tilewright::ui {

namespace {

constexpr double axisWidth = 96, margin = 8;

bool hasMean(const QModelIndex& index) { return index.data(VersionModel::GainRole).isValid(); }

} // namespace

QRectF GainDelegate::axisIn(const QRect& cell)
{
    return {cell.left() + static_cast<qreal>(px(margin)), static_cast<qreal>(cell.top()),
        static_cast<qreal>(px(axisWidth)), static_cast<qreal>(cell.height())};
}

QSize GainDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const QSize words = RowDelegate::sizeHint(option, index);
    return hasMean(index) ? QSize(words.width() + px(axisWidth) + px(margin), words.height()) : words;
}

void GainDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    if (!hasMean(index))
        return RowDelegate::paint(painter, option, index);
    QStyleOptionViewItem words(option);
    words.rect.setLeft(option.rect.left() + px(margin) + px(axisWidth));
    RowDelegate::paint(painter, words, index);
    painter->save();
    QStyleOptionViewItem ground(option);
    ground.rect.setRight(words.rect.left() - 1);
    paintGround(*painter, ground);
    const QRectF axis = axisIn(option.rect);
    const double reach = index.data(VersionModel::GainReachRole).toDouble();
    const auto x = [&](VersionModel::Role role) {
        const double change = std::log(std::max(index.data(role).toDouble(), 1e-6));
        return axis.center().x() + change / reach * (axis.width() / 2 - 5);
    };
    painter->setPen(tokens().strongBorder);
    painter->drawLine(
        QPointF(axis.center().x(), axis.top() + px(5)), QPointF(axis.center().x(), axis.bottom() - px(5)));
    const double low = index.data(VersionModel::GainLowRole).toDouble();
    const double high = index.data(VersionModel::GainHighRole).toDouble();
    const QColor ink = low > 1 ? tokens().good : high < 1 ? tokens().bad : tokens().secondary;
    drawInterval(*painter, x(VersionModel::GainLowRole), x(VersionModel::GainRole), x(VersionModel::GainHighRole),
        axis.center().y(), ink);
    painter->restore();
}

} // namespace tilewright::ui
