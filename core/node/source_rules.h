// SPDX-License-Identifier: GPL-3.0-or-later
// What a program's text has to fulfil before it is built, whoever wrote it and whatever it is built for. Pure.
#pragma once

#include "core/model/task.h"
#include "core/source/math_rules.h"

#include <string_view>

namespace tilewright {

/// Whether programs are refused for what their text or their built code says, before they run. Off only in tests, which
/// then see what else stands against them: a build is on unless the node was told otherwise at its start.
enum class StaticRules { On, Off };

/// Errors: static/source-size; static/fast-math for what the task does not allow; static/require for a `// require:`
/// line that does not hold or cannot be judged.
Result<void> checkSource(const Task& task, std::string_view source);

/// Whether the task allows this finding, if there is one. Error: static/fast-math.
Result<void> checkMath(const Task& task, const std::optional<MathFinding>& found);

} // namespace tilewright
