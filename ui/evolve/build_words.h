// SPDX-License-Identifier: GPL-3.0-or-later
// What stands in the build log of a program that its compiler had nothing to say about: with what it was built, and
// what came of it, kernel by kernel. Pure.
#pragma once

#include "core/model/evaluation.h"
#include "core/model/task.h"

#include <QString>

namespace tilewright::ui {

/// Empty where the result does not tell that it was built. `task`: whose options it was built with; may be null.
QString silentBuildWords(const EvaluationResult& result, const Task* task);

} // namespace tilewright::ui
