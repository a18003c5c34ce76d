// SPDX-License-Identifier: GPL-3.0-or-later
// A session file seen read-only: its state by replaying its events, its texts by hash. Belongs to one thread; a writer
// elsewhere may begin, go on or end meanwhile. Reading changes nothing in the file, and leaves no file beside it where
// nobody writes.
#pragma once

#include "core/store/replay.h"
#include "core/store/session_path.h"

#include <memory>
#include <type_traits>

class QSqlDatabase;

namespace tilewright {

class SqlConnection;

class SessionReader
{
public:
    ~SessionReader();

    /// Errors: session/missing, session/not-a-session (no SQLite file, or a foreign one), session/newer,
    /// session/damaged, session/unreadable.
    static Result<std::unique_ptr<SessionReader>> open(const std::string& path);

    /// State of the newest run. Errors: event/order for gaps, event/… for events that cannot be read, session/empty.
    Result<RunState> load(const ReplayWatch& watch = {});
    /// Applies the events that are newer than the state, of the newest run for an empty one, and calls `each` after
    /// each of them. Errors as load(); the state then stands at the last event that was applied.
    Result<void> follow(RunState& state, const EachEvent& each = {});
    /// Errors: session/text-missing, session/damaged.
    Result<std::string> text(const Hash& hash);
    /// The run's task. Errors as text(), and task/….
    Result<TaskPack> pack(const RunState& state);
    /// When the newest event was recorded; empty without one.
    std::string lastEventUtc();
    /// Whether a process writes the session at this moment: if none does, a run that is recorded as running was cut
    /// off.
    bool isBeingWritten() const;
    /// Writes what the session holds now as a file of its own, there whole or not at all; a file of that name is
    /// replaced unless somebody writes it. Errors: session/same, session/locked, session/read-only, session/full.
    Result<void> copyTo(const std::string& path);

private:
    explicit SessionReader(std::string path);
    /// Errors as open().
    Result<void> connect();
    /// Nothing can have changed under the connection since connect().
    bool isAsConnected() const;
    /// What `read` returns of the database, on a connection that holds for as long as it takes.
    template <typename Read> std::invoke_result_t<Read, QSqlDatabase&> reading(Read read);

    std::string m_path;
    std::unique_ptr<SqlConnection> m_connection;
    /// The connection takes no locks and makes no files, for nobody writes: valid as long as the file is this one.
    bool m_isImmutable = false;
    FileVersion m_version;
    FileIdentity m_logIndex; ///< of a connection that takes locks: in this file beside the session
};

/// Checks application_id, user_version and that the file is whole; the user_version it has.
Result<int> checkSessionFile(QSqlDatabase& database, const std::string& path);
} // namespace tilewright
