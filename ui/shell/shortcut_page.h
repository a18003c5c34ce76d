// SPDX-License-Identifier: GPL-3.0-or-later
// All actions with their keys, made from the registry. GUI thread.
#pragma once

#include "ui/session/action_registry.h"

#include <QDialog>

namespace tilewright::ui {

class ShortcutPage : public QDialog
{
    Q_OBJECT

public:
    ShortcutPage(const ActionRegistry& actions, QWidget* parent);
};

} // namespace tilewright::ui
