// SPDX-License-Identifier: GPL-3.0-or-later
// A unified diff as lines to show: three lines of context, folds between, changed words marked. Pure; safe on any
// thread.
#pragma once

#include "ui/widgets/code_view.h"

#include <string>
#include <vector>

namespace tilewright::ui {

/// Empty when the texts are equal.
std::vector<CodeLine> diffToShow(const std::string& before, const std::string& after);

} // namespace tilewright::ui
