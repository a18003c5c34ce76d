// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/migrations.h"

#include "core/store/sql.h"

#include <array>

namespace tilewright {
namespace {

constexpr std::array<const char*, 2> steps{
#include "core/store/migrations/001_first.sql.inc"
    ,
#include "core/store/migrations/002_continued.sql.inc"
};

} // namespace

int newestMigration() { return static_cast<int>(steps.size()); }

Result<void> migrate(QSqlDatabase& database, int from)
{
    for (int step = from; step < newestMigration(); ++step) {
        if (auto begun = execute(database, "BEGIN IMMEDIATE"); !begun)
            return begun;
        const QStringList statements = QString::fromUtf8(steps[static_cast<std::size_t>(step)]).split(u';');
        for (const QString& statement : statements)
            if (!statement.trimmed().isEmpty())
                if (auto done = execute(database, statement.toStdString()); !done)
                    return done;
        if (auto done = execute(database, "PRAGMA user_version = " + std::to_string(step + 1)); !done)
            return done;
        if (auto done = execute(database, "COMMIT"); !done)
            return done;
    }
    return {};
}

} // namespace tilewright
