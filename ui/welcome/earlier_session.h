// SPDX-License-Identifier: GPL-3.0-or-later
// What a new session can take over of an earlier one: task, shapes, proposer, islands as they were steered at its end,
// migration, review and budgets. Nothing of its candidates. Blocks as long as reading takes; any thread.
#pragma once

#include "core/base/result.h"
#include "core/model/run_state.h"
#include "core/model/session_shapes.h"

#include <QString>
#include <map>

namespace tilewright::ui {

struct EarlierSession {
    RunSettings settings;
    std::map<IslandId, IslandSteering> steering; ///< of the islands it began with
    SessionShapes shapes;

    bool operator==(const EarlierSession&) const = default;
};

/// Of a run that is known already.
EarlierSession earlierSessionOf(const RunState& run, const Task& task);
/// Errors: those of SessionReader.
Result<EarlierSession> readEarlierSession(const QString& path);

} // namespace tilewright::ui
