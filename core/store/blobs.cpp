// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/blobs.h"

#include "core/store/sql.h"

#include <QSqlError>
#include <zstd.h>

namespace tilewright {
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
        return fail("session/damaged", "a text of the session does not have the hash it is kept under");
    return text;
}

} // namespace tilewright
