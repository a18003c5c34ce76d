// SPDX-License-Identifier: GPL-3.0-or-later
// What stays the same for a whole run: the device, the task, what a program sees and must keep to. Pure.
#pragma once

#include "core/model/run_state.h"
#include "core/prompt/prompt_template.h"

namespace tilewright {

/// The device's facts that the author of a kernel for this task asks about. Never its host, its identity or a path.
std::string deviceText(const RunState& state, const Task& task);

/// Sets title, operation, file, language, tensors, sizes, shapes, accuracy, timing, header, build, workspace,
/// source_limit, device, and cpp or cuda.
void setTaskValues(PromptValues& values, const RunState& state, const TaskPack& pack);

} // namespace tilewright
