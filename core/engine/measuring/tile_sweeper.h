// SPDX-License-Identifier: GPL-3.0-or-later
// Measures a sweep of tiles by the ordinary evaluator: build, check and screening in pairs, under the device's lock.
// Blocks, in an event loop of its own on the calling thread.
#pragma once

#include "core/engine/measuring/one_evaluation.h"
#include "core/tiling/tile_sweep.h"

#include <functional>

namespace tilewright {

struct SweepOrder {
    TaskPack pack; ///< on the sweep's shape alone; its seed is the reference tile
    std::string text; ///< the program with its tune lines
    std::string device; ///< a name for deviceNamed()
};

/// The program of the tiling explorer for a task: kernels/examples/TASK/tiles.*. Errors: sweep/program (there is none),
/// those of readTextFile().
Result<std::string> tileProgram(const Task& task);
/// On which the explorer measures where no other is wanted.
Shape usualSweepShape(Target target);

/// The order, and the sweep with nothing measured yet. `reference`: values that differ from those of the text.
/// Errors: sweep/tunable (the text has none of this name, or twice the same axis), sweep/axis, and those of packOn().
struct BegunSweep {
    SweepOrder order;
    TileSweep sweep;
};
struct SweepWords {
    std::string text, device;
    Shape shape; ///< empty: usualSweepShape()
    SweepAxis rows, columns;
    Tunables reference;
};
Result<BegunSweep> begunSweep(const TaskPack& pack, const SweepWords& words);

struct SweepWatch {
    EvaluationWatch evaluation = {};
    std::function<void(const TileSweep&)> begun = {}; ///< the device is known, the reference tile is right
    std::function<void(const TileSweep&, const SweepCell&)> done = {}; ///< a cell
};

/// Measures the cells that `sweep` lacks. Errors end it, and the cells that are done stay: those of the machine as of
/// OneEvaluation, "cancelled"; sweep/reference: the reference tile is refused; sweep/device: what is done was measured
/// on another device.
Result<void> runSweep(const SweepOrder& order, TileSweep& sweep, const SweepWatch& watch);

} // namespace tilewright
