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
    /// One button for each of these actions; mode.settings stands at the foot.
    ModeBar(const ActionRegistry& actions, const QStringList& ids, QWidget* parent = nullptr);
    /// How many things wait there, in a badge; 0 for none.
    void setCount(const QString& id, int count);
};

} // namespace tilewright::ui
