// SPDX-License-Identifier: GPL-3.0-or-later
// How texts of a session reach the lineage, which knows no session file.
#pragma once

#include "core/base/hash.h"
#include "core/base/result.h"

#include <functional>
#include <string>

namespace tilewright {

/// A text of the session by its hash. Errors: those of the session.
using TextOf = std::function<Result<std::string>(const Hash&)>;

} // namespace tilewright
