// SPDX-License-Identifier: GPL-3.0-or-later
// How far the checks of a person's text are, while it is written. Pure.
#pragma once

#include "core/engine/edit_check.h"

namespace tilewright::ui {

struct EditProgress {
    /// Unchanged: it is the proposal's own text still. Typing: asked for after a rest. Running: asked for. Known:
    /// `check` is of the text as it stands. Cancelled: the person wanted no check of it.
    enum class Step { Unchanged, Typing, Running, Known, Cancelled };
    Step step = Step::Unchanged;
    EditCheck check;

    bool operator==(const EditProgress&) const = default;
};

} // namespace tilewright::ui
