// SPDX-License-Identifier: GPL-3.0-or-later
// A session under another name, whole and compact.
#pragma once

#include "core/base/result.h"

#include <QSqlDatabase>
#include <string>

namespace tilewright {

/// `own`: the path of the session that is copied. Replaces what has the wanted name. Errors: session/same,
/// session/read-only, session/locked, session/full.
Result<void> copySession(QSqlDatabase& from, const std::string& own, const std::string& wanted);

} // namespace tilewright
