// SPDX-License-Identifier: GPL-3.0-or-later
// Which question and answer a candidate comes from, by the hashes of their texts: what was sent and what came back, to
// the byte. Pure.
#pragma once

#include "core/model/run_state.h"

namespace tilewright {

/// One question and what came back, as hashes of texts in the session.
struct Turn {
    ModelRequestId modelRequest; ///< none where the reply was not asked for (mutator, replay)
    Hash system, prompt; ///< null there
    Hash reply; ///< the whole reply; null while open, or if none came
    int part = 0; ///< which of the reply's proposals the candidate is; 0: the whole reply, or an earlier turn

    bool operator==(const Turn&) const = default;
};

/// A model request and those whose conversation it continues, oldest first.
std::vector<ModelRequestId> conversationOf(const RunState& state, ModelRequestId modelRequest);

/// The turns that led to the candidate, oldest first; the last one holds its reply. A copy that migrated has those of
/// its origin. Empty for the seed.
std::vector<Turn> turnsOf(const RunState& state, CandidateId candidate);
/// The same for a proposal, also where no candidate came of it. Empty where nobody replied.
std::vector<Turn> turnsOf(const RunState& state, ProposalId proposal);

/// All that was asked until the proposal was there, oldest first: its own question, those that it continues or puts
/// again, and those whose failed patches it mends. Empty where nobody was asked.
std::vector<ModelRequestId> callsOf(const RunState& state, ProposalId proposal);

/// Who wrote a proposal: the name of the model where one did, "user", or the proposer.
std::string authorOf(const RunState& state, const Proposal& proposal);

} // namespace tilewright
