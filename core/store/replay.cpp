// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/replay.h"

#include "core/base/json_text.h"
#include "core/store/sql.h"

#include <QSqlError>
#include <algorithm>
#include <deque>
#include <future>
#include <thread>

namespace tilewright {
namespace {

constexpr std::size_t batchSize = 256; ///< events parsed in one go

struct Row {
    std::int64_t seq = 0;
    QByteArray atUtc, kind, json;
};

using Batch = std::vector<Result<Event>>;

Batch parsed(RunId run, const std::vector<Row>& rows)
{
    Batch events;
    events.reserve(rows.size());
    for (const Row& row : rows) {
        const auto json = parsedJson(std::string_view(row.json.data(), static_cast<std::size_t>(row.json.size())));
        auto body = eventFromJson(row.kind.toStdString(), json);
        if (body)
            events.push_back(Event{run, row.seq, row.atUtc.toStdString(), std::move(*body)});
        else
            events.push_back(std::unexpected(body.error()));
    }
    return events;
}

/// The run's events in batches, parsed ahead of whoever takes them.
class Batches
{
public:
    Batches(QSqlQuery& query, RunId run)
        : m_query(query)
        , m_run(run)
    {
    }

    /// The next ones; none at the end.
    Batch next()
    {
        const std::size_t ahead = std::max(2U, std::thread::hardware_concurrency());
        while (!m_ended && m_parsing.size() < ahead) {
            std::vector<Row> rows = read();
            m_ended = rows.size() < batchSize;
            if (!rows.empty())
                m_parsing.push_back(std::async(
                    std::launch::async, [run = m_run, taken = std::move(rows)] { return parsed(run, taken); }));
        }
        if (m_parsing.empty())
            return {};
        Batch batch = m_parsing.front().get();
        m_parsing.pop_front();
        return batch;
    }

private:
    std::vector<Row> read()
    {
        std::vector<Row> rows;
        rows.reserve(batchSize);
        while (rows.size() < batchSize && m_query.next())
            rows.push_back({m_query.value(0).toLongLong(), m_query.value(1).toByteArray(),
                m_query.value(2).toByteArray(), m_query.value(3).toByteArray()});
        return rows;
    }

    QSqlQuery& m_query;
    RunId m_run;
    std::deque<std::future<Batch>> m_parsing;
    bool m_ended = false;
};

} // namespace

Result<RunId> newestRun(QSqlDatabase& database)
{
    const auto newest = valueOf(database, "SELECT max(id) FROM run");
    if (!newest)
        return std::unexpected(newest.error());
    if (newest->isNull())
        return fail("session/empty", "the session contains no run", "start a new one");
    return RunId{newest->toLongLong()};
}

Result<void> follow(QSqlDatabase& database, RunState& state, const EachEvent& each, const ReplayWatch& watch)
{
    const RunId run = state.run;
    const auto last = valueOf(database,
        ("SELECT seq FROM event WHERE run = " + std::to_string(run.value) + " ORDER BY seq DESC LIMIT 1").c_str());
    if (!last)
        return std::unexpected(last.error());
    QSqlQuery query(database);
    query.setForwardOnly(true);
    // As bytes: texts would be turned into UTF-16 and back.
    query.prepare(QStringLiteral("SELECT seq, CAST(at_utc AS BLOB), CAST(kind AS BLOB), CAST(json AS BLOB) "
                                 "FROM event WHERE run = ? AND seq > ? ORDER BY seq"));
    query.addBindValue(static_cast<qlonglong>(run.value));
    query.addBindValue(static_cast<qlonglong>(state.lastSeq));
    if (!query.exec())
        return std::unexpected(errorOf(query.lastError()));
    Batches batches(query, run);
    for (Batch batch = batches.next(); !batch.empty(); batch = batches.next()) {
        for (const Result<Event>& event : batch) {
            if (!event)
                return std::unexpected(event.error());
            if (auto applied = apply(state, *event); !applied)
                return std::unexpected(applied.error());
            if (each)
                each(*event, state);
        }
        if (watch && !watch(state, last->toLongLong()))
            return fail("session/cancelled", "the session was not read completely", "open it again");
    }
    return query.lastError().isValid() ? std::unexpected(errorOf(query.lastError())) : Result<void>();
}

Result<RunState> replay(QSqlDatabase& database, RunId run, const EachEvent& each, const ReplayWatch& watch)
{
    RunState state;
    state.run = run;
    if (auto read = follow(database, state, each, watch); !read)
        return std::unexpected(read.error());
    if (state.lastSeq == 0)
        return fail("session/empty", "the session's run has no events", "start a new one");
    return state;
}

Result<Event> readEvent(QSqlDatabase& database, RunId run, std::int64_t seq)
{
    QSqlQuery query(database);
    query.prepare(QStringLiteral("SELECT at_utc, kind, json FROM event WHERE run = ? AND seq = ?"));
    query.addBindValue(static_cast<qlonglong>(run.value));
    query.addBindValue(static_cast<qlonglong>(seq));
    if (!query.exec())
        return std::unexpected(errorOf(query.lastError()));
    if (!query.next())
        return fail("event/unknown-id", "the session has no event " + std::to_string(seq));
    return std::move(
        parsed(run, {{seq, query.value(0).toByteArray(), query.value(1).toByteArray(), query.value(2).toByteArray()}})
            .front());
}

} // namespace tilewright
