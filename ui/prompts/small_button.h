// SPDX-License-Identifier: GPL-3.0-or-later
// A button of a pane's title: a sign and a word. GUI thread.
#pragma once

#include "ui/theme/icons.h"

#include <QPushButton>

namespace tilewright::ui {

inline QPushButton* smallButton(const QString& name, const QString& sign, const QString& words, QWidget* parent)
{
    auto* button = new QPushButton(icon(sign, Tint::Secondary), words, parent);
    button->setObjectName(name);
    button->setProperty("kind", QStringLiteral("small"));
    return button;
}

} // namespace tilewright::ui
