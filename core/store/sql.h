// SPDX-License-Identifier: GPL-3.0-or-later
// Thin wrapper around Qt Sql for session files: a connection that closes itself, statements that answer with Result,
// values that go in and out as our types. A connection belongs to the thread that made it.
#pragma once

#include "core/base/hash.h"
#include "core/base/result.h"

#include <QSqlDatabase>
#include <QSqlQuery>
#include <QVariant>
#include <string>

class QSqlDatabase;

namespace tilewright {

enum class OpenMode { ReadWrite, ReadOnly, Immutable };

/// One SQLite connection with a name of its own, closed and forgotten at the end of its life.
class SqlConnection
{
public:
    SqlConnection() = default;
    ~SqlConnection();
    SqlConnection(const SqlConnection&) = delete;
    SqlConnection& operator=(const SqlConnection&) = delete;

    /// Errors: session/unreadable, with SQLite's words as evidence.
    Result<void> open(const std::string& path, OpenMode mode);
    QSqlDatabase& database() { return m_database; }
    void close();

private:
    QString m_name;
    QSqlDatabase m_database;
};

/// Error of a failed statement: session/locked, session/not-a-session, session/damaged, session/full,
/// session/read-only or session/unreadable, by SQLite's result code.
Error errorOf(const QSqlError& problem);

/// The same error, its text with the file that it is about.
Error about(const std::string& path, Error error);

Result<void> execute(QSqlDatabase& database, const std::string& statement);
/// First column of the first row; an invalid QVariant when there is none.
Result<QVariant> valueOf(QSqlDatabase& database, const std::string& statement);

QVariant toSql(const Hash& hash); ///< NULL for the null hash
QVariant toSql(const std::string& text);
QVariant toSqlText(const nlohmann::json& json); ///< NULL for null
Hash hashFrom(const QVariant& value); ///< null unless it is 32 bytes

// The numbered steps from an empty file to today's session format. A step that was released is never changed; each is
// a kept file in migrations/. The file's user_version is the number of the last step it has.

/// 'TLWR', SQLite's application_id of a session file.
constexpr int sessionApplicationId = 0x544C5752;
/// What this program writes and the newest it reads.
int newestMigration();

/// Brings the file from its user_version to the newest, one transaction a step.
Result<void> migrate(QSqlDatabase& database, int from);

// Texts of a session by their SHA-256: written once, packed with zstd where that makes them smaller.

/// Writes the text unless it is there already. Inside a transaction of the caller.
Result<void> writeBlob(QSqlDatabase& database, const Hash& hash, const std::string& bytes);
/// Errors: session/text-missing, session/damaged when the bytes do not have their hash.
Result<std::string> readBlob(QSqlDatabase& database, const Hash& hash);

} // namespace tilewright
