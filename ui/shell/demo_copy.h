// SPDX-License-Identifier: GPL-3.0-or-later
// The file in which a shipped demo is opened: a copy, so that the shipped one is never written, and the same copy again
// as long as nothing was done in it. Blocks while it reads the copies, some tenths of a second at most.
#pragma once

#include "core/base/result.h"

#include <filesystem>

namespace tilewright::ui {

/// Errors: as unpackSession().
Result<std::filesystem::path> copyOfDemo(const std::string& name);

} // namespace tilewright::ui
