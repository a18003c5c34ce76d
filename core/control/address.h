// SPDX-License-Identifier: GPL-3.0-or-later
// Where a running session listens for commands of its owner: a local socket in a folder that nobody else can enter,
// named after the session file.
#pragma once

#include "core/base/result.h"

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>

namespace tilewright {

/// Path of the session's socket; its folder is made if it is missing. Errors: control/folder when the folder cannot be
/// made, or is somebody else's.
Result<std::string> controlAddress(const std::string& sessionPath);

/// Removes the sockets beside this one at which nobody listens: programs that were killed left them.
void removeDeadSockets(const std::string& address);

// Says one command to the program that has a session open, and waits for the answer.

/// The answer of core/control/control_commands.h. Blocks for at most `limit`. Errors: control/nobody when no program
/// has the session open for writing, control/silent when it does not answer, control/folder.
Result<nlohmann::json> tellSession(
    const std::string& sessionPath, const nlohmann::json& request, std::chrono::milliseconds limit);

} // namespace tilewright
