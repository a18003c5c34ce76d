// SPDX-License-Identifier: GPL-3.0-or-later
// The commands that pull a lever on candidates: what each makes of a request. Pure.
#pragma once

#include "core/control/commands.h"

namespace tilewright {

struct LeverCommand {
    ControlCommand command;
    /// The lever for one of the named candidates; id 0 where none was named. Errors: usage, island/unknown.
    Result<Lever> (*lever)(const nlohmann::json& request, const RunState& run, CandidateId candidate);
    bool needsCandidate = true;
};

/// In the order of help.
const std::vector<LeverCommand>& leverCommands();

} // namespace tilewright
