// SPDX-License-Identifier: GPL-3.0-or-later
// What holds a program back, in sentences that follow from its figures alone. Pure.
#pragma once

#include "core/prompt/measured.h"

#include <string>
#include <vector>

namespace tilewright {

/// Most telling first; empty when nothing was measured. Each sentence carries the figures it is made of.
std::vector<std::string> bottlenecks(const Measured& measured, const nlohmann::json& deviceFacts, const Task& task);

} // namespace tilewright
