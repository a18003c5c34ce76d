// SPDX-License-Identifier: GPL-3.0-or-later
// Which shapes a user wants a measurement on, and the task that is measured then. Pure.
#pragma once

#include "core/model/task/task.h"

#include <map>

namespace tilewright {

/// What a candidate that has its verdict may show: held-out figures only where it is confirmed.
enum class HeldoutSight { Hidden, Shown };

/// "all", "train", "heldout", or shapes one by one: "777x1023x511, 64x64x64", "M=777 N=1023 K=511; M=64 N=64 K=64"; any
/// of them together. Nothing for all of the task's. Each shape once, train shapes first.
/// Errors: shapes/words, shapes/dimension (outside what the task declares), shapes/heldout (of a candidate that is not
/// confirmed), shapes/sealed, shapes/large (far beyond the task's own), shapes/many.
Result<std::vector<Shape>> chosenShapes(const Task& task, std::string_view words, HeldoutSight sight);

/// One shape, in the same words. Errors: shapes/words, shapes/dimension, shapes/sealed, shapes/large.
Result<Shape> oneShape(const Task& task, std::string_view words);

/// Where the task has it; Own if it does not.
ShapeSplit splitOf(const Task& task, const Shape& shape);
/// "all", "train", "held-out" or the shapes: "777×1023×511".
std::string wordsOfShapes(const Task& task, const std::vector<Shape>& shapes);

/// The same task with these as its train shapes and none that are held out or sealed: a node that is given it builds,
/// checks and times on them. Errors: as parseTask().
Result<TaskPack> packOn(const TaskPack& pack, const std::vector<Shape>& shapes);
/// The same task with other shapes in the splits that are named ("train", "heldout"). Errors: as parseTask().
Result<TaskPack> packWith(const TaskPack& pack, const std::map<std::string, std::vector<Shape>>& splits);

} // namespace tilewright
