// SPDX-License-Identifier: GPL-3.0-or-later
// Which settings the finder can go to, and how: fields of New session, of the models' settings, of the review policy
// and of the open run's budgets, proposer, islands and migration. Read from the pages themselves, so that a field which
// is added there is found. GUI thread.
#pragma once

#include "ui/shell/finder.h"

namespace tilewright::ui {

class MainWindow;

/// Those that can be changed now. The window must outlive them.
std::vector<FinderPlace> finderPlaces(MainWindow& window);

/// Opens the finder over the window; what is chosen is shown there.
void openFinder(MainWindow& window);

} // namespace tilewright::ui
