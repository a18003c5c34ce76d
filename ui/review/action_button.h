// SPDX-License-Identifier: GPL-3.0-or-later
// A small button that triggers an action and names its keys. GUI thread.
#pragma once

#include <QAction>
#include <QPushButton>

namespace tilewright::ui {

inline QPushButton* actionButton(const QString& name, const QString& text, const QAction& action, QWidget* parent)
{
    auto* button = new QPushButton(
        QStringLiteral("%1  %2").arg(text, action.shortcut().toString(QKeySequence::NativeText)), parent);
    button->setObjectName(name);
    button->setProperty("kind", QStringLiteral("small"));
    button->setToolTip(action.toolTip());
    QObject::connect(button, &QPushButton::clicked, &action, &QAction::trigger);
    return button;
}

} // namespace tilewright::ui
