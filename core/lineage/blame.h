// SPDX-License-Identifier: GPL-3.0-or-later
// Who brought each line of a program, for the command line and for the window: the origins of its lines, and of each
// candidate that brought one its provenance. Pure.
#pragma once

#include "core/lineage/line_origins.h"
#include "core/lineage/provenance.h"

#include <map>
#include <string>
#include <vector>

namespace tilewright {

struct Blame {
    CandidateId candidate; ///< whose program it is
    LineOrigins origins;
    std::map<CandidateId, Provenance> provenance; ///< of each candidate that brought a line
    std::map<CandidateId, std::string> titles; ///< of the same, as titleOf()

    bool operator==(const Blame&) const = default;
};

/// Errors: those of lineOriginsOf().
Result<Blame> blameOf(const RunState& state, CandidateId candidate, const TextOf& textOf);
/// The same where the origins are known: they never change, while gains do with each re-run.
Blame blameOf(const RunState& state, CandidateId candidate, LineOrigins origins);

/// The texts that lineOriginsOf() asks for, each once: sources and patches of the candidate and all its ancestors.
std::vector<Hash> textsForBlame(const RunState& state, CandidateId candidate);

/// "0.0123 $ for 3": with the number of edits that came with the same reply, where there are several. As costText().
std::string sharedCostText(const Provenance& provenance);

} // namespace tilewright
