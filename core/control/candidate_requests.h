// SPDX-License-Identifier: GPL-3.0-or-later
// The requests about single candidates: the command that each makes. Pure.
#pragma once

#include "core/control/control_commands.h"

namespace tilewright {

struct CandidateRequest {
    ControlCommand form;
    /// Of one of the named candidates; id 0 where none was named. Errors: usage, island/unknown.
    Result<CandidateCommand> (*command)(const nlohmann::json& request, const RunState& run, CandidateId candidate);
    bool needsCandidate = true;
};

/// In the order of help.
const std::vector<CandidateRequest>& candidateRequests();

} // namespace tilewright
