// SPDX-License-Identifier: GPL-3.0-or-later
// Plots of a report as inline SVG: no script, no font, no file besides. Colours are those of the page's style sheet, so
// that they follow light, dark and print. Pure.
#pragma once

#include "core/model/measurement/evaluation.h"

#include <string>
#include <utility>
#include <vector>

namespace tilewright {

/// A ratio with its interval, one row of ratioPlot().
struct PlotRow {
    std::string label;
    Interval ratio;
};
/// One dot and its 95 % interval a row, on a logarithmic axis with a line at 1: right of it is faster. "" for no rows.
std::string ratioPlot(const std::vector<PlotRow>& rows, const std::string& title, const std::string& axis);

/// A step of a lineage on the plot of the best score.
struct PlotStep {
    std::string label; ///< "c-0035"
    Interval score;
};
/// The score of the best over evaluations, as steps. "" for fewer than two points.
std::string tracePlot(
    const std::vector<std::pair<std::int64_t, double>>& trace, std::int64_t evaluations, const std::string& title);
/// The scores of a lineage in its order, with intervals, on a logarithmic axis. "" for fewer than two steps.
std::string lineagePlot(const std::vector<PlotStep>& steps, const std::string& title);

} // namespace tilewright
