// SPDX-License-Identifier: GPL-3.0-or-later
// Number boxes and lists of choices on pages that scroll: the wheel is theirs only while they have the focus, else it
// scrolls the page. A letter that is typed while they have it is theirs as well, and no order. GUI thread.
#pragma once

#include <QObject>
#include <QStyledItemDelegate>

namespace tilewright::ui {

/// An event filter for all of them.
class CalmBoxes : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;
    /// Of a combo box or a number box; leaves all others as they are.
    void calm(QWidget& widget);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

/// Rows of lists that open over a page: high enough to be hit.
class ListRows : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace tilewright::ui
