// SPDX-License-Identifier: GPL-3.0-or-later
// The one writer of a session file. Events and texts collect in memory and reach the file by commit(), all or nothing;
// the owner commits at most 50 ms later, and at once where a commit is durable. Projections are brought up to date in
// the same transaction. Belongs to one thread (the engine's).
#pragma once

#include "core/base/result.h"
#include "core/store/projections.h"
#include "core/store/replay.h"
#include "core/store/session_lock.h"
#include "core/store/session_path.h"

#include <QSqlDatabase>
#include <memory>
#include <string>
#include <unordered_map>

namespace tilewright {

class SqlConnection;

class SessionWriter
{
public:
    ~SessionWriter();

    /// A new file with one run whose first event is `created` (a RunCreated). Errors: session/exists,
    /// session/read-only, session/missing (its folder), session/locked.
    static Result<std::unique_ptr<SessionWriter>> create(
        const std::string& wanted, const TaskPack& pack, const Event& created);
    /// An existing file. Errors as SessionReader::open, and session/locked, session/read-only.
    static Result<std::unique_ptr<SessionWriter>> open(const std::string& wanted);

    /// State of the newest run by replaying its events.
    Result<RunState> load(const ReplayWatch& watch = {});
    Result<TaskPack> pack(const RunState& state);
    /// A text that was written or waits to be. Errors: session/text-missing, session/damaged.
    Result<std::string> text(const Hash& hash);
    /// Of a run, also one that is not written yet. Errors: event/….
    Result<Event> event(RunId run, std::int64_t seq);

    /// Keeps a text; its hash.
    Hash putText(const std::string& text);
    /// Takes the event that led to this state.
    void append(const Event& event, const RunState& after);
    bool hasPending() const { return !m_events.empty() || !m_texts.empty(); }
    /// Whether something waits that must reach the disk itself, not only the kernel: decisions, replies.
    bool isUrgent() const { return m_urgent; }
    /// Writes what waits; state is the one that all appended events led to. On error everything still waits. Errors
    /// name the file; session/gone: it was moved, deleted or replaced since it was opened.
    Result<void> commit(const RunState& state);
    /// A whole session under another name, with what waits; also where the file itself is gone.
    Result<void> copyTo(const std::string& wanted, const RunState& state);

    /// Drops all projections and builds them again from the events.
    Result<void> rebuildProjections();
    /// See projections.h; for tests and repair.
    Result<Hash> projectionsHash();

private:
    SessionWriter();
    void rememberFile();
    Result<void> stillThere() const;
    Result<void> writePending(const RunState& state);
    Result<void> commitPending(const RunState& state);

    std::string m_path;
    SessionLock m_lock;
    std::unique_ptr<SqlConnection> m_connection;
    std::vector<Event> m_events;
    std::unordered_map<Hash, std::string> m_texts;
    Touched m_touched;
    bool m_urgent = false;
    bool m_fullSync = false;
    FileIdentity m_file;
};

// A session under another name, whole and compact.

/// `own`: the path of the session that is copied. Replaces what has the wanted name. Errors: session/same,
/// session/read-only, session/locked, session/full.
Result<void> copySession(QSqlDatabase& from, const std::string& own, const std::string& wanted);

} // namespace tilewright
