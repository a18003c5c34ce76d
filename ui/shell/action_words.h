// SPDX-License-Identifier: GPL-3.0-or-later
// Other words that people use for what an action does, by which the finder finds it as well. In one table, with the ids
// of the actions.
#pragma once

#include "ui/session/action_registry.h"

namespace tilewright::ui {

void addWords(ActionRegistry& actions);

} // namespace tilewright::ui
