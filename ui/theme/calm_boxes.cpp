// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/calm_boxes.h"

#include "ui/theme/theme.h"

#include <QAbstractSpinBox>
#include <QComboBox>
#include <QKeyEvent>

namespace tilewright::ui {

void CalmBoxes::calm(QWidget& widget)
{
    if (!qobject_cast<QComboBox*>(&widget) && !qobject_cast<QAbstractSpinBox*>(&widget))
        return;
    if (widget.focusPolicy() == Qt::WheelFocus)
        widget.setFocusPolicy(Qt::StrongFocus);
    widget.installEventFilter(this);
}

namespace {

/// A letter, a sign or a digit: with it an entry of a list is looked for, or a number written.
bool isTyped(const QKeyEvent& key)
{
    const auto beside = key.modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier);
    return beside == Qt::NoModifier && !key.text().isEmpty() && key.text().front().isPrint();
}

} // namespace

bool CalmBoxes::eventFilter(QObject* watched, QEvent* event)
{
    auto* box = qobject_cast<QWidget*>(watched);
    if (!box)
        return false;
    if (event->type() == QEvent::Wheel && !box->hasFocus()) {
        event->ignore(); // goes on to the page
        return true;
    }
    // What is typed into it gives no order of one letter.
    if (event->type() == QEvent::ShortcutOverride && isTyped(*static_cast<QKeyEvent*>(event))) {
        event->accept();
        return true;
    }
    // Once somebody is about to open it: a list each takes time that the start of the window does not have.
    const bool isNear = event->type() == QEvent::Enter || event->type() == QEvent::FocusIn
        || event->type() == QEvent::MouseButtonPress;
    if (auto* combo = qobject_cast<QComboBox*>(box);
        combo && isNear && !qobject_cast<QStyledItemDelegate*>(combo->itemDelegate()))
        combo->setItemDelegate(new ListRows(combo));
    return false;
}

QSize ListRows::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const QSize size = QStyledItemDelegate::sizeHint(option, index);
    return {size.width(), std::max(size.height(), px(22))};
}

} // namespace tilewright::ui
