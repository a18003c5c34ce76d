// SPDX-License-Identifier: GPL-3.0-or-later
// What the figures and checks of a confirmation do not cover, in sentences: sizes, alignments, devices, values,
// determinism, and checks that were not made. Pure.
#pragma once

#include "core/model/measurement/evidence.h"

#include <string>
#include <vector>

namespace tilewright {

std::vector<std::string> notCoveredBy(const Task& task, const Evidence& evidence, const EvaluationResult& result);

} // namespace tilewright
