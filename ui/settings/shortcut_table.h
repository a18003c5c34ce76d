// SPDX-License-Identifier: GPL-3.0-or-later
// All actions with their keys, made from the registry, and a field that leaves those whose name, keys or purpose hold
// what is typed. GUI thread.
#pragma once

#include "ui/session/action_registry.h"

#include <QWidget>

namespace tilewright::ui {

class ShortcutTable : public QWidget
{
    Q_OBJECT

public:
    enum class Column { Action, Keys, Purpose, Count };

    ShortcutTable(const ActionRegistry& actions, QWidget* parent);
};

} // namespace tilewright::ui
