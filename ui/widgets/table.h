// SPDX-License-Identifier: GPL-3.0-or-later
// Tables as this program shows them: fixed row heights, whole rows, a thin line between rows. GUI thread.
#pragma once

#include <QStyledItemDelegate>
#include <QTableView>

namespace tilewright::ui {

/// Cell text with 8 px at either side; the base of the delegates that draw badges and bars.
class RowDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    /// Background, selection and the line below the row.
    void paintGround(QPainter& painter, const QStyleOptionViewItem& option) const;
};

class Table : public QTableView
{
    Q_OBJECT

public:
    explicit Table(QWidget* parent = nullptr);
    void setRowHeight(int height);

Q_SIGNALS:
    void rowHovered(const QModelIndex& index);

protected:
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
};

} // namespace tilewright::ui
