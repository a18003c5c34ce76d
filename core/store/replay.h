// SPDX-License-Identifier: GPL-3.0-or-later
// A run's events, read from the file and applied one after another. Reading and applying keep their order on the
// caller's thread; between them the events' JSON, which takes most of the time of a long run, is parsed on others.
#pragma once

#include "core/model/run_state.h"

#include <functional>

class QSqlDatabase;

namespace tilewright {

/// Called after every event.
using EachEvent = std::function<void(const Event&, const RunState&)>;
/// Called every few hundred events with the state so far and how many events the run has: whether to go on.
using ReplayWatch = std::function<bool(const RunState& sofar, std::int64_t events)>;

/// All events of a run, in order, as the state they lead to. Errors: event/order for gaps, event/… for events that
/// cannot be read, session/empty, session/cancelled where `watch` said so.
Result<RunState> replay(QSqlDatabase& database, RunId run, const EachEvent& each = {}, const ReplayWatch& watch = {});
/// Applies the events of the state's run that are newer than the state, which may be an empty one that names its run.
/// Errors as replay(), but an absence of events is none; the state then stands at the last event that was applied.
Result<void> follow(QSqlDatabase& database, RunState& state, const EachEvent& each = {}, const ReplayWatch& watch = {});
/// One event of a run. Errors: event/… where it cannot be read, or is not there.
Result<Event> readEvent(QSqlDatabase& database, RunId run, std::int64_t seq);
/// The newest run of the file. Errors: session/empty.
Result<RunId> newestRun(QSqlDatabase& database);

} // namespace tilewright
