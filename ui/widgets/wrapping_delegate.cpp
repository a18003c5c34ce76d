// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/wrapping_delegate.h"

#include "ui/theme/theme.h"

#include <QHeaderView>
#include <QPainter>
#include <algorithm>

namespace tilewright::ui {

QSize WrappingDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    if (option.rect.width() <= 0) // how wide a column wants to be
        return RowDelegate::sizeHint(option, index);
    const QRect room(0, 0, std::max(option.rect.width() - 2 * px(8), px(24)), QWIDGETSIZE_MAX);
    const QRect taken = option.fontMetrics.boundingRect(room, Qt::TextWordWrap, index.data().toString());
    return {room.width(), taken.height() + px(9)};
}

void WrappingDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    painter->save();
    paintGround(*painter, option);
    painter->setFont(option.font);
    painter->setPen(tokens().text);
    painter->drawText(option.rect.adjusted(px(8), 0, -px(8), -1), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap,
        index.data().toString());
    painter->restore();
}

void fitRowsToWords(Table& table)
{
    table.setWordWrap(true);
    QObject::connect(table.horizontalHeader(), &QHeaderView::sectionResized, &table, &QTableView::resizeRowsToContents);
    QObject::connect(&Theme::instance(), &Theme::changed, &table, &QTableView::resizeRowsToContents);
}

} // namespace tilewright::ui
