// SPDX-License-Identifier: GPL-3.0-or-later
// The lines from the selected node back to those it came from, as many as can be told apart. GUI thread.
#pragma once

#include "ui/lineage/lineage_painting.h"

class QPainter;

namespace tilewright::ui {

struct AncestryLines {
    std::vector<int> edges; ///< in view
    bool firstParentsOnly = false; ///< all of them would be a blot
};

/// Of a node that came from `ancestry`; nothing for −1.
AncestryLines ancestryLines(const LineageScene& scene, int node, const std::vector<int>& ancestry);
/// The lines, and their ends above them.
void paintAncestry(
    QPainter& painter, const LineageScene& scene, const AncestryLines& lines, const NodeSprites& sprites);

} // namespace tilewright::ui
