// SPDX-License-Identifier: GPL-3.0-or-later
// The events and texts of a session file, for its lineage. Belongs to the thread that opens it.
#pragma once

#include "core/lineage/lineage_thread.h"

namespace tilewright {

/// Errors: those of SessionReader::open().
Result<std::unique_ptr<RunSource>> openRunSource(const std::string& session);

} // namespace tilewright
