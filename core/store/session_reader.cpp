// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/session_reader.h"

#include "core/store/session_lock.h"
#include "core/store/session_path.h"
#include "core/store/session_writer.h"
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
        return fail("session/damaged", "the session file " + path + " is damaged", "restore it from a backup",
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
                + (isEmpty ? " is empty: it contains no session"
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
        return fail("session/damaged", path + " has no session format number", "restore it from a backup");
    if (auto whole = checkWhole(database, path); !whole)
        return std::unexpected(whole.error());
    return version->toInt();
}

SessionReader::SessionReader(std::string path)
    : m_path(std::move(path))
    , m_connection(std::make_unique<SqlConnection>())
{
}

SessionReader::~SessionReader()
{
    m_connection->close();
    const std::string real = realSessionPath(m_path);
    if (m_isImmutable || !identityOf(real + "-shm").inode)
        return;
    // SQLite leaves its files to the last who may write: that was a writer that ended before this reader did.
    SessionLock lock;
    if (lock.acquire(real) && versionOf(real + "-wal").bytes == 0)
        removeLeftLog(real);
}

Result<std::unique_ptr<SessionReader>> SessionReader::open(const std::string& path)
{
    if (auto isFile = checkIsFile(path); !isFile)
        return std::unexpected(isFile.error());
    std::unique_ptr<SessionReader> reader(new SessionReader(path));
    if (auto connected = reader->connect(); !connected)
        return std::unexpected(connected.error());
    return reader;
}

Result<void> SessionReader::connect()
{
    std::error_code problem;
    const std::string real = realSessionPath(m_path);
    m_version = versionOf(m_path); // before the log is looked at: a writer that ends puts it into the file
    const auto logBytes = std::filesystem::file_size(real + "-wal", problem);
    const bool hasLog = !problem && logBytes > 0;
    const auto opened = [&](OpenMode mode) -> Result<void> {
        m_isImmutable = mode == OpenMode::Immutable;
        if (auto connected = m_connection->open(m_path, mode); !connected)
            return connected;
        const auto version = checkSessionFile(m_connection->database(), m_path);
        m_logIndex = m_isImmutable ? FileIdentity() : identityOf(real + "-shm");
        return version ? Result<void>() : std::unexpected(version.error());
    };
    // Write-ahead logging makes files beside the session. Without a log and a writer the file is whole by itself.
    Result<void> connected;
    if (!hasLog && !isLockedByWriter(m_path))
        connected = opened(OpenMode::Immutable);
    else
        connected = opened(OpenMode::ReadOnly);
    const bool cannotLog = !connected && !m_isImmutable && !hasLog
        && (connected.error().code == "session/unreadable" || connected.error().code == "session/read-only");
    if (cannotLog) // the folder cannot be written, or the disk is full
        connected = opened(OpenMode::Immutable);
    return connected ? connected : std::unexpected(about(m_path, connected.error()));
}

bool SessionReader::isAsConnected() const
{
    if (!m_isImmutable) // who removed its files is a reader that was the last it knew of
        return identityOf(realSessionPath(m_path) + "-shm") == m_logIndex;
    const FileVersion now = versionOf(m_path);
    if (now.file != m_version.file)
        return true; // the name stands for another file, or none: the one that is read is nobody's any more
    return now == m_version && !isLockedByWriter(m_path);
}

template <typename Read> std::invoke_result_t<Read, QSqlDatabase&> SessionReader::reading(Read read)
{
    constexpr int tries = 3; // a writer that came is there for longer
    for (int i = 0;; ++i) {
        if (!isAsConnected())
            if (auto connected = connect(); !connected)
                return std::unexpected(connected.error());
        auto answer = read(m_connection->database());
        if (i + 1 == tries || isAsConnected())
            return answer;
    }
}

Result<RunState> SessionReader::load(const ReplayWatch& watch)
{
    return reading([&](QSqlDatabase& database) -> Result<RunState> {
        const auto run = newestRun(database);
        return run ? replay(database, *run, {}, watch) : std::unexpected(run.error());
    });
}

Result<void> SessionReader::follow(RunState& state, const EachEvent& each)
{
    return reading([&](QSqlDatabase& database) -> Result<void> {
        if (state.lastSeq == 0) {
            const auto run = newestRun(database);
            if (!run)
                return std::unexpected(run.error());
            state.run = *run;
        }
        return tilewright::follow(database, state, each);
    });
}

Result<std::string> SessionReader::text(const Hash& hash)
{
    return reading([&](QSqlDatabase& database) { return readBlob(database, hash); });
}

Result<TaskPack> SessionReader::pack(const RunState& state)
{
    const auto blob = text(state.settings.task);
    return blob ? TaskPack::fromBlob(*blob) : std::unexpected(blob.error());
}

bool SessionReader::isBeingWritten() const { return isLockedByWriter(m_path); }

std::string SessionReader::lastEventUtc()
{
    const auto newest = reading([](QSqlDatabase& database) {
        return valueOf(database, "SELECT at_utc FROM event ORDER BY run DESC, seq DESC LIMIT 1");
    });
    return newest ? newest->toString().toStdString() : std::string();
}

Result<void> SessionReader::copyTo(const std::string& wanted)
{
    return reading([&](QSqlDatabase& database) { return copySession(database, m_path, wanted); });
}

} // namespace tilewright
