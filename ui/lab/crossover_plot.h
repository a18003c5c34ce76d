// SPDX-License-Identifier: GPL-3.0-or-later
// A measured or recorded crossover as a plot, in words, and upon a plot of operations. Pure.
#pragma once

#include "ui/compare/point_scene.h"
#include "ui/lab/kept_crossovers.h"

#include <functional>

namespace tilewright::ui {

/// "measured 2026-12-01, AMD EPYC"; of another machine "recorded, AMD EPYC, 2026-12-01".
QString provenanceWords(const KeptCrossover& kept);
/// From which size on the scheme's program is faster, with its 95 % interval, within the sizes that were measured.
QString crossoverWords(const CrossoverSweep& sweep);
/// "Strassen, 1 level over c-0035".
QString comparedWords(const CrossoverSweep& sweep);
/// How many times as fast as its leaf the program is, over the size. Null: nothing is measured or recorded.
PointScene crossoverScene(const KeptCrossover* kept);
/// Adds the program's measured times to a plot over n: as shares of its leaf's, times what the plot has for the
/// definition at n. With the crossover as an upright line from `low` to `high`.
void addMeasured(PointScene& scene, const KeptCrossover& kept, const std::function<double(double n)>& definition,
    double low, double high);

} // namespace tilewright::ui
