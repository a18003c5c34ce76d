// SPDX-License-Identifier: GPL-3.0-or-later
// Says one command to the program that has a session open, and waits for the answer.
#pragma once

#include "core/base/result.h"

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>

namespace tilewright {

/// The answer of core/control/commands.h. Blocks for at most `limit`. Errors: control/nobody when no program has the
/// session open for writing, control/silent when it does not answer, control/folder.
Result<nlohmann::json> tellSession(
    const std::string& sessionPath, const nlohmann::json& request, std::chrono::milliseconds limit);

} // namespace tilewright
