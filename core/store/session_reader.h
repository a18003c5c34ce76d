// SPDX-License-Identifier: GPL-3.0-or-later
// A session file seen read-only: its state by replaying its events, its texts by hash. Belongs to one thread; a writer
// elsewhere may go on writing.
#pragma once

#include "core/store/replay.h"

#include <memory>

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
    SessionReader(std::unique_ptr<SqlConnection> connection, std::string path);
    std::unique_ptr<SqlConnection> m_connection;
    std::string m_path;
};

/// Checks application_id, user_version and that the file is whole; the user_version it has.
Result<int> checkSessionFile(QSqlDatabase& database, const std::string& path);
} // namespace tilewright
