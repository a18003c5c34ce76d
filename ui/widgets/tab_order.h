// SPDX-License-Identifier: GPL-3.0-or-later
// Widgets that are made while a page stands are the last that Tab comes to: here they get their place. GUI thread.
#pragma once

#include <QWidget>
#include <algorithm>
#include <vector>

namespace tilewright::ui {

/// What Tab reaches of these and in them, in this order, where `place` stands, which it does not reach itself. None of
/// them is null.
inline void tabThrough(QWidget* place, const std::vector<QWidget*>& these)
{
    std::vector<QWidget*> order;
    // Of a switch Tab reaches what is chosen alone, which may be another one later. A box has its list in a window.
    const auto add = [&](QWidget* each) {
        if (each->focusPolicy() != Qt::NoFocus && each->window() == place->window())
            order.push_back(each);
    };
    for (QWidget* each : these) {
        add(each);
        for (QWidget* inner : each->findChildren<QWidget*>())
            add(inner);
    }
    QWidget* last = place->previousInFocusChain();
    while (last != place && (last->focusPolicy() == Qt::NoFocus || std::ranges::find(order, last) != order.end()))
        last = last->previousInFocusChain();
    if (last == place)
        return; // nothing else is there
    for (QWidget* each : order) {
        QWidget::setTabOrder(last, each);
        last = each;
    }
}

} // namespace tilewright::ui
