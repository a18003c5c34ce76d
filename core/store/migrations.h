// SPDX-License-Identifier: GPL-3.0-or-later
// The numbered steps from an empty file to today's session format. A step that was released is never changed; each is
// a kept file in migrations/. The file's user_version is the number of the last step it has.
#pragma once

#include "core/base/result.h"

class QSqlDatabase;

namespace tilewright {

/// 'TLWR', SQLite's application_id of a session file.
constexpr int sessionApplicationId = 0x544C5752;
/// What this program writes and the newest it reads.
int newestMigration();

/// Brings the file from its user_version to the newest, one transaction a step.
Result<void> migrate(QSqlDatabase& database, int from);

} // namespace tilewright
