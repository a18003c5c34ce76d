// SPDX-License-Identifier: GPL-3.0-or-later
// Whether this machine's node has a device, asked before anything is made for it.
#pragma once

#include "core/base/result.h"

#include <string>

namespace tilewright::cli {

/// Starts the node, looks at its greeting and ends it. Errors: device/missing, device/mixed, node/missing.
Result<void> checkDevice(const std::string& device);

} // namespace tilewright::cli
