// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of a session by their SHA-256: written once, packed with zstd where that makes them smaller.
#pragma once

#include "core/base/hash.h"
#include "core/base/result.h"

#include <QSqlDatabase>
#include <string>

namespace tilewright {

/// Writes the text unless it is there already. Inside a transaction of the caller.
Result<void> writeBlob(QSqlDatabase& database, const Hash& hash, const std::string& bytes);
/// Errors: session/text-missing, session/damaged when the bytes do not have their hash.
Result<std::string> readBlob(QSqlDatabase& database, const Hash& hash);

} // namespace tilewright
