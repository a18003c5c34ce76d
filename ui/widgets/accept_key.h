// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl+Enter starts or applies what stands written, wherever that is.
#pragma once

#include <QKeyEvent>

namespace tilewright::ui {

inline bool isAccept(const QKeyEvent& key)
{
    return key.modifiers().testFlag(Qt::ControlModifier) && (key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter);
}

} // namespace tilewright::ui
