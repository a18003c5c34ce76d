// SPDX-License-Identifier: GPL-3.0-or-later
// The column of modes at the left edge, icon over name. GUI thread.
#pragma once

#include "ui/session/action_registry.h"

#include <QFrame>

namespace tilewright::ui {

class ModeBar : public QFrame
{
    Q_OBJECT

public:
    /// One button for each of these actions.
    ModeBar(const ActionRegistry& actions, const QStringList& ids, QWidget* parent = nullptr);
};

} // namespace tilewright::ui
