// SPDX-License-Identifier: GPL-3.0-or-later
// The axes of a niche grid in words. Pure.
#pragma once

#include "core/model/task.h"

#include <QString>

namespace tilewright::ui {

/// What an axis means: "piece size" for a product of constants that set how large the pieces of the work are, "code
/// length"; and its term in the task: "MC·NC·KC", "code_bytes".
QString axisName(const std::string& feature);
QString axisTerm(const std::string& feature);
/// "piece size: MC·NC·KC", a line an axis: the term behind each plain word; empty where they are the same.
QString axisTerms(const Task& task);

} // namespace tilewright::ui
