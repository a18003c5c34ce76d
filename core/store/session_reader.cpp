// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/session_reader.h"

#include "core/store/blobs.h"
#include "core/store/migrations.h"
#include "core/store/session_copy.h"
#include "core/store/session_lock.h"
#include "core/store/session_path.h"
#include "core/store/sql.h"

#include <QSqlError>
#include <filesystem>

namespace tilewright {
namespace {

/// Files larger than this are not read through at opening; damage shows where it is met.
constexpr std::uintmax_t checkedWhole = std::uintmax_t(64) << 20;

Result<void> checkWhole(QSqlDatabase& database, const std::string& path)
{
    std::error_code problem;
    if (std::filesystem::file_size(path, problem) > checkedWhole || problem)
        return {};
    const auto verdict = valueOf(database, "PRAGMA quick_check(1)");
    if (!verdict)
        return std::unexpected(verdict.error());
    if (verdict->toString() != QStringLiteral("ok"))
        return fail("session/damaged", "the session file " + path + " is damaged", "take it from a backup",
            {{"sqlite", verdict->toString().toStdString()}});
    return {};
}

} // namespace

Result<int> checkSessionFile(QSqlDatabase& database, const std::string& path)
{
    const auto id = valueOf(database, "PRAGMA application_id");
    if (!id)
        return std::unexpected(id.error());
    std::error_code problem;
    const bool isEmpty = std::filesystem::file_size(path, problem) == 0 && !problem;
    if (id->toInt() != sessionApplicationId)
        return fail("session/not-a-session",
            path
                + (isEmpty ? " is empty: there is no session in it"
                           : " is a database of another program, not a Tilewright session"),
            "choose one that Tilewright has written");
    const auto version = valueOf(database, "PRAGMA user_version");
    if (!version)
        return std::unexpected(version.error());
    if (version->toInt() > newestMigration())
        return fail("session/newer",
            path + " was written by a newer Tilewright (format " + std::to_string(version->toInt())
                + ", this program reads up to " + std::to_string(newestMigration()) + ")",
            "update Tilewright");
    if (version->toInt() < 1)
        return fail("session/damaged", path + " has no session format number", "take it from a backup");
    if (auto whole = checkWhole(database, path); !whole)
        return std::unexpected(whole.error());
    return version->toInt();
}

SessionReader::SessionReader(std::unique_ptr<SqlConnection> connection, std::string path)
    : m_connection(std::move(connection))
    , m_path(std::move(path))
{
}

SessionReader::~SessionReader() = default;

Result<std::unique_ptr<SessionReader>> SessionReader::open(const std::string& path)
{
    if (auto isFile = checkIsFile(path); !isFile)
        return std::unexpected(isFile.error());
    std::error_code problem;
    const std::string log = realSessionPath(path) + "-wal";
    const auto logBytes = std::filesystem::file_size(log, problem); // before anybody tries to make one
    const bool hasLog = !problem && logBytes > 0;
    auto connection = std::make_unique<SqlConnection>();
    auto opened = connection->open(path, OpenMode::ReadOnly);
    Result<int> version = opened ? checkSessionFile(connection->database(), path) : std::unexpected(opened.error());
    // Write-ahead logging needs a file beside the session. Where the folder cannot be written or the disk is full, and
    // there is no log, the file is whole by itself and cannot change.
    const bool cannotLog
        = !version && (version.error().code == "session/unreadable" || version.error().code == "session/read-only");
    if (cannotLog && !hasLog) {
        opened = connection->open(path, OpenMode::Immutable);
        version = opened ? checkSessionFile(connection->database(), path) : std::unexpected(opened.error());
    }
    if (!version)
        return std::unexpected(about(path, version.error()));
    return std::unique_ptr<SessionReader>(new SessionReader(std::move(connection), path));
}

Result<RunState> SessionReader::load(const ReplayWatch& watch)
{
    const auto run = newestRun(m_connection->database());
    return run ? replay(m_connection->database(), *run, {}, watch) : std::unexpected(run.error());
}

Result<std::string> SessionReader::text(const Hash& hash) { return readBlob(m_connection->database(), hash); }

Result<TaskPack> SessionReader::pack(const RunState& state)
{
    const auto blob = text(state.settings.task);
    return blob ? TaskPack::fromBlob(*blob) : std::unexpected(blob.error());
}

bool SessionReader::isBeingWritten() const { return isLockedByWriter(m_path); }

std::string SessionReader::lastEventUtc()
{
    const auto newest
        = valueOf(m_connection->database(), "SELECT at_utc FROM event ORDER BY run DESC, seq DESC LIMIT 1");
    return newest ? newest->toString().toStdString() : std::string();
}

Result<void> SessionReader::copyTo(const std::string& wanted)
{
    return copySession(m_connection->database(), m_path, wanted);
}

} // namespace tilewright
