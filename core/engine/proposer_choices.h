// SPDX-License-Identifier: GPL-3.0-or-later
// Who can be given a weight in an island's mix of proposers, and why some cannot. The one place of this rule.
#pragma once

#include "core/model/run_state.h"
#include "core/model/task.h"

namespace tilewright {

struct ProposerChoice {
    std::string name; ///< as in a ProposerMix
    Error objection; ///< why it cannot be asked; code empty if it can
    double usual = 0; ///< its weight where the island has no mix of its own

    bool operator==(const ProposerChoice&) const = default;
};

/// The mutator, the tuner, and whoever the run's proposer is: a person, or each model of its file, which is read.
std::vector<ProposerChoice> proposerChoices(const std::string& proposer, const Island& island);

/// Whether whoever has a weight here can be asked in a run of this proposer. pack: none where it is not known yet
/// whether there is anything to tune. Errors: island/no-models, island/value (nobody has that name), those of the
/// choices, and of checkFit() where none of them has anything to do.
Result<void> checkProposers(const ProposerMix& mix, const std::string& proposer, const Island& island,
    const TaskPack* pack, const RunState& run);

} // namespace tilewright
