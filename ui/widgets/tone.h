// SPDX-License-Identifier: GPL-3.0-or-later
// Tones of widgets: properties that the style sheet looks at, and one that pictures wait for. GUI thread.
#pragma once

#include <QLabel>
#include <QStyle>
#include <QVariant>
#include <QWidget>

namespace tilewright::ui {

/// Of a view while what it has asked for is on its way.
constexpr const char* awaited = "awaited";

/// Changes such a property, and has the widget styled again.
inline void restyle(QWidget* widget, const char* property, const QVariant& value)
{
    if (widget->property(property) == value)
        return;
    widget->setProperty(property, value);
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
}

/// Words beside what matters.
inline QLabel* quietLabel(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setProperty("tone", QStringLiteral("secondary"));
    return label;
}

} // namespace tilewright::ui
