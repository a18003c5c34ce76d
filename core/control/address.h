// SPDX-License-Identifier: GPL-3.0-or-later
// Where a running session listens for commands of its owner: a local socket in a folder that nobody else can enter,
// named after the session file.
#pragma once

#include "core/base/result.h"

#include <string>

namespace tilewright {

/// Path of the session's socket; its folder is made if it is missing. Errors: control/folder when the folder cannot be
/// made, or is somebody else's.
Result<std::string> controlAddress(const std::string& sessionPath);

/// Removes the sockets beside this one at which nobody listens: programs that were killed left them.
void removeDeadSockets(const std::string& address);

} // namespace tilewright
