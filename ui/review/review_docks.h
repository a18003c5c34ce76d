// SPDX-License-Identifier: GPL-3.0-or-later
// Where the panes of the Review mode lie: the queue at the left, the checks at the right, one behind the other where
// there is little room, and below the diff where there is less. GUI thread.
#pragma once

class QWidget;

namespace tilewright::ui {

class ReviewFacts;
class ReviewList;
class Workspace;

/// The centre stands in the workspace, and that in the page.
void placeReviewDocks(Workspace& docks, ReviewList& queue, ReviewFacts& facts, QWidget& centre, QWidget& page);

} // namespace tilewright::ui
