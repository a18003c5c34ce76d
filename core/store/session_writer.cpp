// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/session_writer.h"

#include "core/store/session_lock.h"
#include "core/store/session_path.h"
#include "core/store/session_reader.h"
#include "core/store/sql.h"

#include <QSqlError>
#include <filesystem>

namespace tilewright {
namespace {

namespace fs = std::filesystem;

nlohmann::json settingsJson(const RunSettings& settings)
{
    return {{"task", settings.taskName}, {"seed", settings.seed}, {"proposer", settings.proposer},
        {"device", settings.device}, {"islands", settings.islands}};
}

Result<void> writeRun(QSqlDatabase& database, const RunSettings& settings)
{
    QSqlQuery query(database);
    query.prepare(
        QStringLiteral("INSERT INTO run(id, parent_run, parent_event, task, settings) VALUES(1, NULL, NULL, ?, ?)"));
    query.addBindValue(toSql(settings.task));
    query.addBindValue(toSqlText(settingsJson(settings)));
    if (!query.exec())
        return std::unexpected(errorOf(query.lastError()));
    return {};
}

Result<void> writeEvents(QSqlDatabase& database, const std::vector<Event>& events)
{
    QSqlQuery query(database);
    query.prepare(QStringLiteral("INSERT INTO event(run, seq, at_utc, kind, subject, json) VALUES(?, ?, ?, ?, ?, ?)"));
    for (const Event& event : events) {
        query.bindValue(0, static_cast<qlonglong>(event.run.value));
        query.bindValue(1, static_cast<qlonglong>(event.seq));
        query.bindValue(2, toSql(event.atUtc));
        query.bindValue(3, toSql(kindOf(event.body)));
        query.bindValue(4, static_cast<qlonglong>(subjectOf(event.body)));
        query.bindValue(5, toSqlText(toJson(event.body)));
        if (!query.exec())
            return std::unexpected(errorOf(query.lastError()));
    }
    return {};
}

/// A whole session with one run and its first event.
Result<void> writeNew(const std::string& file, const TaskPack& pack, const Event& created)
{
    const RunSettings& settings = std::get<events::RunCreated>(created.body).settings;
    SqlConnection connection;
    if (auto opened = connection.open(file, OpenMode::ReadWrite); !opened)
        return opened;
    QSqlDatabase& database = connection.database();
    if (auto done = execute(database, "PRAGMA application_id = " + std::to_string(sessionApplicationId)); !done)
        return done;
    if (auto done = migrate(database, 0); !done)
        return done;
    if (auto done = writeBlob(database, settings.task, pack.blob()); !done)
        return done;
    if (auto done = writeRun(database, settings); !done)
        return done;
    return writeEvents(database, {created});
}

Result<void> prepareFile(QSqlDatabase& database)
{
    // The page checks and the foreign keys cost little; the log is folded in at close.
    for (const char* pragma : {"PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL", "PRAGMA foreign_keys = ON"})
        if (auto done = execute(database, pragma); !done)
            return done;
    return {};
}

} // namespace

SessionWriter::SessionWriter()
    : m_connection(std::make_unique<SqlConnection>())
{
}

SessionWriter::~SessionWriter()
{
    // SQLite folds the log in at the last connection's end, and does not where somebody still reads: then the file
    // alone would lack what came last.
    if (m_file != FileIdentity{} && stillThere())
        (void)execute(m_connection->database(), "PRAGMA wal_checkpoint(TRUNCATE)");
}

void SessionWriter::rememberFile() { m_file = identityOf(m_path); }

Result<void> SessionWriter::stillThere() const
{
    const FileIdentity now = identityOf(m_path);
    if (now == m_file)
        return {};
    return fail("session/gone",
        now == FileIdentity{} ? "the session file no longer exists: it was moved or deleted"
                              : "another file has replaced the session file",
        "restore it, or save a copy under another name: changes since then are in memory, and are lost if the program "
        "ends");
}

Result<std::unique_ptr<SessionWriter>> SessionWriter::create(
    const std::string& wanted, const TaskPack& pack, const Event& created)
{
    const std::string path = realSessionPath(wanted);
    std::error_code problem;
    if (fs::exists(path, problem))
        return std::unexpected(sessionExists(wanted));
    std::unique_ptr<SessionWriter> writer(new SessionWriter);
    if (auto locked = writer->m_lock.acquire(path); !locked)
        return std::unexpected(locked.error());
    // Made under another name and renamed when whole: a kill leaves either no session or one that opens.
    const auto draft = makeDraft(path);
    if (!draft)
        return std::unexpected(draft.error());
    auto made = writeNew(*draft, pack, created);
    if (made) {
        removeLeftLog(path);
        made = takeName(*draft, path);
    }
    if (!made) {
        fs::remove(*draft, problem);
        return std::unexpected(about(path, made.error()));
    }
    writer->m_path = path;
    auto opened = writer->m_connection->open(path, OpenMode::ReadWrite);
    if (opened)
        opened = prepareFile(writer->m_connection->database());
    if (!opened)
        return std::unexpected(about(path, opened.error()));
    writer->rememberFile();
    return writer;
}

Result<std::unique_ptr<SessionWriter>> SessionWriter::open(const std::string& wanted)
{
    const std::string path = realSessionPath(wanted);
    // Looked at read-only first, so that a file that is no session stays untouched.
    auto reader = SessionReader::open(path);
    if (!reader)
        return std::unexpected(reader.error());
    reader->reset();
    std::unique_ptr<SessionWriter> writer(new SessionWriter);
    if (auto locked = writer->m_lock.acquire(path); !locked)
        return std::unexpected(locked.error());
    QSqlDatabase& database = writer->m_connection->database();
    writer->m_path = path;
    if (auto opened = writer->m_connection->open(path, OpenMode::ReadWrite); !opened)
        return std::unexpected(about(path, opened.error()));
    const auto version = valueOf(database, "PRAGMA user_version");
    if (!version)
        return std::unexpected(about(path, version.error()));
    if (auto prepared = prepareFile(database); !prepared)
        return std::unexpected(about(path, prepared.error()));
    if (auto migrated = migrate(database, version->toInt()); !migrated)
        return std::unexpected(about(path, migrated.error()));
    writer->rememberFile();
    return writer;
}

Result<RunState> SessionWriter::load(const ReplayWatch& watch)
{
    const auto run = newestRun(m_connection->database());
    return run ? replay(m_connection->database(), *run, {}, watch) : std::unexpected(run.error());
}

Result<TaskPack> SessionWriter::pack(const RunState& state)
{
    const auto blob = text(state.settings.task);
    return blob ? TaskPack::fromBlob(*blob) : std::unexpected(blob.error());
}

Result<std::string> SessionWriter::text(const Hash& hash)
{
    if (const auto waiting = m_texts.find(hash); waiting != m_texts.end())
        return waiting->second;
    return readBlob(m_connection->database(), hash);
}

Result<Event> SessionWriter::event(RunId run, std::int64_t seq)
{
    const auto waiting = std::ranges::find(m_events, seq, &Event::seq);
    return waiting != m_events.end() ? *waiting : readEvent(m_connection->database(), run, seq);
}

Hash SessionWriter::putText(const std::string& text)
{
    const Hash hash = sha256(text);
    m_texts.try_emplace(hash, text);
    return hash;
}

void SessionWriter::append(const Event& event, const RunState& after)
{
    m_touched.note(event, after);
    m_urgent = m_urgent || mustReachDisk(event.body);
    m_events.push_back(event);
}

Result<void> SessionWriter::writePending(const RunState& state)
{
    QSqlDatabase& database = m_connection->database();
    for (const auto& [hash, text] : m_texts)
        if (auto written = writeBlob(database, hash, text); !written)
            return written;
    if (auto written = writeEvents(database, m_events); !written)
        return written;
    return writeProjections(database, state, m_touched);
}

Result<void> SessionWriter::commit(const RunState& state)
{
    if (!hasPending())
        return {};
    auto done = stillThere();
    if (done)
        done = commitPending(state);
    return done ? done : std::unexpected(about(m_path, done.error()));
}

Result<void> SessionWriter::copyTo(const std::string& wanted, const RunState& state)
{
    if (hasPending())
        if (auto done = commitPending(state); !done)
            return std::unexpected(about(m_path, done.error()));
    return copySession(m_connection->database(), m_path, wanted);
}

Result<void> SessionWriter::commitPending(const RunState& state)
{
    QSqlDatabase& database = m_connection->database();
    if (m_fullSync != m_urgent) {
        if (auto set = execute(database, m_urgent ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL"); !set)
            return set;
        m_fullSync = m_urgent;
    }
    if (auto begun = execute(database, "BEGIN IMMEDIATE"); !begun)
        return begun;
    auto done = writePending(state);
    if (done)
        done = execute(database, "COMMIT");
    if (!done) {
        (void)execute(database, "ROLLBACK");
        return done;
    }
    m_events.clear();
    m_texts.clear();
    m_touched.clear();
    m_urgent = false;
    return {};
}

Result<void> SessionWriter::rebuildProjections()
{
    QSqlDatabase& database = m_connection->database();
    const auto run = newestRun(database);
    if (!run)
        return std::unexpected(run.error());
    Touched touched;
    const auto state
        = replay(database, *run, [&](const Event& event, const RunState& after) { touched.note(event, after); });
    if (!state)
        return std::unexpected(state.error());
    if (auto begun = execute(database, "BEGIN IMMEDIATE"); !begun)
        return begun;
    auto done = clearProjections(database);
    if (done)
        done = writeProjections(database, *state, touched);
    if (done)
        done = execute(database, "COMMIT");
    if (!done)
        (void)execute(database, "ROLLBACK");
    return done;
}

Result<Hash> SessionWriter::projectionsHash() { return tilewright::projectionsHash(m_connection->database()); }

Result<void> copySession(QSqlDatabase& from, const std::string& own, const std::string& wanted)
{
    namespace fs = std::filesystem;
    const std::string path = realSessionPath(wanted);
    std::error_code problem;
    if (fs::equivalent(own, path, problem))
        return fail("session/same", path + " is the session itself", "give the copy another name or folder");
    if (fs::is_directory(path, problem))
        return fail("session/read-only", path + " is a folder", "give the copy a file name");
    SessionLock lock; // nobody may be writing the file that is replaced
    if (auto held = lock.acquire(path); !held)
        return held;
    const auto draft = makeDraft(path);
    if (!draft)
        return std::unexpected(draft.error());
    QSqlQuery query(from);
    query.prepare(QStringLiteral("VACUUM INTO ?"));
    query.addBindValue(toSql(*draft));
    if (!query.exec()) {
        Error error = errorOf(query.lastError());
        if (error.code == "session/full") {
            error.text = path + " cannot be written: " + error.text;
            error.hint = "free some space there, or choose another folder for the copy";
        }
        fs::remove(*draft, problem);
        return std::unexpected(std::move(error));
    }
    removeLeftLog(path); // of a session that was cut off; it must not be read into the copy
    fs::rename(*draft, path, problem);
    if (problem) {
        const std::string why = problem.message();
        fs::remove(*draft, problem);
        return fail("session/read-only", path + " cannot be written: " + why, "choose a folder of your own");
    }
    return {};
}

} // namespace tilewright
