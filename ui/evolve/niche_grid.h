// SPDX-License-Identifier: GPL-3.0-or-later
// Draws an island's MAP-Elites grid: one square a cell, viridis by the elite's score, a frame on the best. GUI thread.
#pragma once

#include "core/model/run_state.h"

#include <QRectF>
#include <QString>

class QPainter;

namespace tilewright::ui {

/// task may be null: then the grid is as large as the cells in use. The rect holds the axis names too.
void drawNicheGrid(QPainter& painter, const QRectF& rect, const RunState& run, const Island& island, const Task* task);

} // namespace tilewright::ui
