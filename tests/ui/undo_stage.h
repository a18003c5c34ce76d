// SPDX-License-Identifier: GPL-3.0-or-later
// A window on a run in which things happen that can be taken back.
#pragma once

#include "tests/ui/theatre.h"
#include "ui/shell/undo_controller.h"

namespace tilewright::test {

struct UndoStage : Theatre {
    UndoStage()
        : Theatre(20)
    {
        open();
    }
    QAction& action(const QString& id) const { return window->actions()[id]; }
    /// What Ctrl+Z would undo; empty where it is nothing.
    QString newest() const
    {
        for (const ui::UndoController::Entry& each : window->undo().entries())
            if (!each.isEarlier)
                return each.description;
        return {};
    }
    void happen(EventBody body)
    {
        run.record(std::move(body));
        open();
    }
};

} // namespace tilewright::test
