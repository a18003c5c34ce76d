// SPDX-License-Identifier: GPL-3.0-or-later
// Changes a property that the style sheet looks at, so that the widget is styled again. GUI thread.
#pragma once

#include <QStyle>
#include <QVariant>
#include <QWidget>

namespace tilewright::ui {

inline void restyle(QWidget* widget, const char* property, const QVariant& value)
{
    if (widget->property(property) == value)
        return;
    widget->setProperty(property, value);
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
}

} // namespace tilewright::ui
