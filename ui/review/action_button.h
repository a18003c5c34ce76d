// SPDX-License-Identifier: GPL-3.0-or-later
// A small button that triggers an action, names its keys, and tells why it is disabled as the action does. GUI thread.
#pragma once

#include <QAction>
#include <QPushButton>

namespace tilewright::ui {

/// Its text and the keys of its action; the last ones where letters are written.
enum class ActionKeys { First, WhileWriting };
inline QString wordsWithKeys(const QString& text, const QAction& action, ActionKeys keys = ActionKeys::First)
{
    const QList<QKeySequence> all = action.shortcuts();
    const QKeySequence shown = all.isEmpty() ? QKeySequence() : keys == ActionKeys::First ? all.first() : all.last();
    return QStringLiteral("%1  %2").arg(text, shown.toString(QKeySequence::NativeText));
}

inline QPushButton* actionButton(const QString& name, const QString& text, const QAction& action, QWidget* parent)
{
    auto* button = new QPushButton(wordsWithKeys(text, action), parent);
    button->setObjectName(name);
    button->setProperty("kind", QStringLiteral("small"));
    const auto follow = [button, &action] {
        button->setToolTip(action.toolTip());
        button->setEnabled(action.isEnabled());
    };
    follow();
    QObject::connect(&action, &QAction::changed, button, follow);
    QObject::connect(button, &QPushButton::clicked, &action, &QAction::trigger);
    return button;
}

} // namespace tilewright::ui
