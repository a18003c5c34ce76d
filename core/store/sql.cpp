// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/sql.h"

#include "core/base/json_text.h"
#include "core/store/packed_session.h"
#include "core/store/session_path.h"

#include <QSqlError>
#include <QUrl>
#include <QUuid>
#include <array>
#include <cstring>
#include <filesystem>
#include <zstd.h>

namespace tilewright {
namespace {

/// Bytes without which SQLite cannot even open a session.
constexpr std::uintmax_t leastRoom = 64 << 10;
constexpr std::string_view packedEnding = ".tilewright.zst";

} // namespace

SqlConnection::~SqlConnection() { close(); }

void SqlConnection::close()
{
    if (m_name.isEmpty())
        return;
    m_database.close();
    m_database = QSqlDatabase();
    QSqlDatabase::removeDatabase(m_name);
    m_name.clear();
}

Result<void> SqlConnection::open(const std::string& path, OpenMode mode)
{
    close();
    m_name = QStringLiteral("tilewright-") + QUuid::createUuid().toString(QUuid::WithoutBraces);
    m_database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_name);
    if (!m_database.isValid())
        return fail("session/driver", "Qt's SQLite driver is missing", "install libqt6sql6-sqlite");
    QString options = QStringLiteral("QSQLITE_BUSY_TIMEOUT=2000");
    QString name = QString::fromStdString(path);
    if (mode != OpenMode::ReadWrite)
        options += QStringLiteral(";QSQLITE_OPEN_READONLY");
    if (mode == OpenMode::Immutable) {
        options += QStringLiteral(";QSQLITE_OPEN_URI");
        name = QStringLiteral("file:") + QString::fromUtf8(QUrl::toPercentEncoding(name, "/"))
            + QStringLiteral("?immutable=1");
    }
    m_database.setConnectOptions(options);
    m_database.setDatabaseName(name);
    if (!m_database.open())
        return std::unexpected(errorOf(m_database.lastError()));
    return {};
}

Error errorOf(const QSqlError& problem)
{
    const std::string words = problem.text().toStdString();
    const nlohmann::json evidence{{"sqlite", words}};
    switch (problem.nativeErrorCode().toInt() & 0xff) {
    case 5: // SQLITE_BUSY
    case 6: // SQLITE_LOCKED
        return {"session/locked", "the session file is in use by another program", "wait until it is closed there",
            evidence};
    case 8: // SQLITE_READONLY
        return {"session/read-only", "the session file or its folder cannot be written",
            "copy it to a folder of your own", evidence};
    case 11: // SQLITE_CORRUPT
        return {"session/damaged", "the session file is damaged",
            "restore it from a backup; the sqlite3 program's .recover may help", evidence};
    case 13: // SQLITE_FULL
        return {"session/full", "the disk is full", "free some space there, then resume", evidence};
    case 26: // SQLITE_NOTADB
        return {"session/not-a-session", "the file is not a Tilewright session",
            "choose a file written by Tilewright; their names end in .tilewright", evidence};
    default:
        return {"session/unreadable", "the session file cannot be used: " + words,
            "check that the path exists and is readable", evidence};
    }
}

Error about(const std::string& path, Error error)
{
    // SQLite calls a disk without room for the files beside a session an input or output error.
    std::error_code problem;
    const std::filesystem::space_info space
        = std::filesystem::space(std::filesystem::path(realSessionPath(path)).parent_path(), problem);
    if (error.code == "session/unreadable" && !problem && space.available < leastRoom) {
        error.code = "session/full";
        error.text = "the disk is full";
        error.hint = "free some space, then try again";
    }
    if (error.code == "session/not-a-session" && path.ends_with(packedEnding)) {
        const std::string name = std::filesystem::path(path).filename().string();
        const std::string demo = name.substr(0, name.size() - packedEnding.size());
        error.text = path + " is a packed session, which cannot be opened directly";
        error.hint = std::filesystem::exists(shippedDemo(demo), problem)
            ? "'tilewright-cli demo " + demo + "' unpacks this demo and shows it"
            : "unpack it with 'zstd -d'";
    }
    if (error.text.find(path) == std::string::npos)
        error.text = path + ": " + error.text;
    return error;
}

Result<void> execute(QSqlDatabase& database, const std::string& statement)
{
    QSqlQuery query(database);
    if (!query.exec(QString::fromStdString(statement)))
        return std::unexpected(errorOf(query.lastError()));
    return {};
}

Result<QVariant> valueOf(QSqlDatabase& database, const std::string& statement)
{
    QSqlQuery query(database);
    if (!query.exec(QString::fromStdString(statement)))
        return std::unexpected(errorOf(query.lastError()));
    if (query.next())
        return query.value(0);
    if (query.lastError().isValid())
        return std::unexpected(errorOf(query.lastError()));
    return QVariant();
}

QVariant toSql(const Hash& hash)
{
    if (hash.isNull())
        return QVariant(QMetaType(QMetaType::QByteArray));
    return QByteArray(reinterpret_cast<const char*>(hash.bytes.data()), static_cast<qsizetype>(hash.bytes.size()));
}

QVariant toSql(const std::string& text) { return QString::fromStdString(text); }

QVariant toSqlText(const nlohmann::json& json)
{
    if (json.is_null())
        return QVariant(QMetaType(QMetaType::QString));
    return QString::fromStdString(dumped(json));
}

Hash hashFrom(const QVariant& value)
{
    Hash hash;
    const QByteArray bytes = value.toByteArray();
    if (static_cast<std::size_t>(bytes.size()) == hash.bytes.size())
        std::memcpy(hash.bytes.data(), bytes.constData(), hash.bytes.size());
    return hash;
}

namespace {

constexpr std::array<const char*, 4> steps{
#include "core/store/migrations/001_first.sql.inc"
    ,
#include "core/store/migrations/002_continued.sql.inc"
    ,
#include "core/store/migrations/003_pairs_and_grids.sql.inc"
    ,
#include "core/store/migrations/004_recombinations.sql.inc"
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

namespace {

enum Codec { Plain = 0, Zstd = 1 };
constexpr int compressionLevel = 3;
constexpr unsigned long long largestText = 1ull << 30;

std::string packed(const std::string& bytes)
{
    std::string out(ZSTD_compressBound(bytes.size()), '\0');
    const std::size_t size = ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), compressionLevel);
    out.resize(ZSTD_isError(size) ? bytes.size() : size);
    return out;
}

Result<std::string> unpacked(const QByteArray& bytes)
{
    const auto damaged = [] { return fail("session/damaged", "a packed text of the session is damaged"); };
    const auto size = ZSTD_getFrameContentSize(bytes.constData(), static_cast<std::size_t>(bytes.size()));
    if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > largestText)
        return damaged();
    std::string out(size, '\0');
    const std::size_t got
        = ZSTD_decompress(out.data(), out.size(), bytes.constData(), static_cast<std::size_t>(bytes.size()));
    if (ZSTD_isError(got) || got != out.size())
        return damaged();
    return out;
}

} // namespace

Result<void> writeBlob(QSqlDatabase& database, const Hash& hash, const std::string& bytes)
{
    const std::string small = packed(bytes);
    const bool smaller = small.size() < bytes.size();
    const std::string& chosen = smaller ? small : bytes;
    QSqlQuery query(database);
    query.prepare(QStringLiteral("INSERT OR IGNORE INTO blob(hash, codec, bytes) VALUES(?, ?, ?)"));
    query.addBindValue(toSql(hash));
    query.addBindValue(smaller ? Zstd : Plain);
    query.addBindValue(QByteArray(chosen.data(), static_cast<qsizetype>(chosen.size())));
    if (!query.exec())
        return std::unexpected(errorOf(query.lastError()));
    return {};
}

Result<std::string> readBlob(QSqlDatabase& database, const Hash& hash)
{
    QSqlQuery query(database);
    query.prepare(QStringLiteral("SELECT codec, bytes FROM blob WHERE hash = ?"));
    query.addBindValue(toSql(hash));
    if (!query.exec())
        return std::unexpected(errorOf(query.lastError()));
    if (!query.next())
        return fail("session/text-missing", "the session has no text " + hash.hex());
    const QByteArray bytes = query.value(1).toByteArray();
    Result<std::string> text
        = query.value(0).toInt() == Zstd ? unpacked(bytes) : Result<std::string>(bytes.toStdString());
    if (text && sha256(*text) != hash)
        return fail("session/damaged", "a text of the session does not match its hash");
    return text;
}

} // namespace tilewright
