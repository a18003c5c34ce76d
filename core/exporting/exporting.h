// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of an export from a session file on, as the command line and the window make them: what can be exported,
// the measurement on sealed shapes, the bundle. The caller records the measurement: who writes the session is not
// decided here. Each function blocks; none needs the window's thread.
#pragma once

#include "core/engine/measuring/one_evaluation.h"
#include "core/export/bundle.h"
#include "core/export/export_form.h"

#include <optional>
#include <string>

namespace tilewright {

/// The candidate of that name ("c-0012"), or the best one ("best"); a migrated copy stands for its original. Errors:
/// candidate/unknown.
Result<CandidateId> exportedCandidate(const RunState& state, const std::string& name);

/// What an export of a candidate would do.
struct ExportPlan {
    CandidateId candidate;
    std::size_t sealedShapes = 0; ///< of the task
    bool measuresSealed = false; ///< they were not measured with this candidate yet
    std::int64_t measuredOnSealed = 0; ///< candidates of the session that were
};
/// Errors: export/unconfirmed.
Result<ExportPlan> exportPlanOf(const RunState& state, const TaskPack& pack, CandidateId candidate);
/// Of the session as its file is now. Errors: those of SessionReader and exportedCandidate(), too.
Result<ExportPlan> exportPlanIn(const std::string& session, const std::string& candidate);

/// Builds, checks and times the candidate on the task's sealed shapes, beside the seed and the vendor library, on the
/// run's device. The event is not recorded yet. Errors: device/other, those of an evaluation, cancelled.
Result<events::SealedMeasured> measuredOnSealed(const RunState& state, const TaskPack& pack, CandidateId candidate,
    const std::string& source, const EvaluationWatch& watch);

/// The same error, said of the sealed shapes, with the hint how to export without them.
Error aboutSealed(Error error, const std::string& how);

struct Exported {
    ExportRecord record;
    Bundle bundle;
    Task task;
};
/// Of what the session's file holds now. Errors: those of SessionReader, exportRecordOf() and the forms.
Result<Exported> exportedFrom(
    const std::string& session, const std::string& candidate, const std::optional<HarnessSources>& sources);

} // namespace tilewright
