// SPDX-License-Identifier: GPL-3.0-or-later
// Who brought a candidate, with which prompt, at what cost, and what it gained. The same figures stand in the commits
// of the git view and in the answer of blame. Pure.
#pragma once

#include "core/model/parent_change.h"
#include "core/model/run_state.h"

#include <optional>
#include <string>

namespace tilewright {

struct Provenance {
    CandidateId candidate; ///< never a migrated copy: that one stands for the candidate that it is a copy of
    std::string proposer; ///< "mutator", "tuner", "model", "seed", …
    std::string author; ///< the model that wrote it, else the proposer
    std::string prompt; ///< name of the prompt template; empty where nobody was asked
    /// Version of the user's text that the prompt was written with; 0: the shipped text. None: a text for this request
    /// alone, or nobody was asked.
    std::optional<int> promptVersion;
    Hash promptText; ///< blob of the template; null where nobody was asked
    ModelRequestId modelRequest; ///< none where nobody was asked
    /// Of all requests that led to it, failed tries and repair turns included, in millionths of a dollar. None: nobody
    /// was asked, or a server did not report it.
    std::optional<std::int64_t> costMicroUsd;
    int sharedBy = 0; ///< proposals of the reply, which share the cost; 0: nobody was asked
    std::optional<ParentChange> gain; ///< over its parent as versusParent(); none without a score

    bool operator==(const Provenance&) const = default;
};

/// Of a candidate of the run. `gain` is as the state knows it.
Provenance provenanceOf(const RunState& state, const Candidate& candidate);

/// "exploit v2", "exploit shipped", "exploit, own text"; empty where nobody was asked.
std::string promptText(const Provenance& provenance);
/// "0.0123 $", "unknown"; empty where nobody was asked.
std::string costText(const Provenance& provenance);
/// "+3.1 %", "within noise" where the interval overlaps the noise band; empty without a figure.
std::string gainText(const std::optional<ParentChange>& gain);

/// What a candidate changes, on one line: the title of its proposal, else its moves and constants, else the first
/// sentence of its rationale.
std::string titleOf(const RunState& state, const Candidate& candidate);

} // namespace tilewright
