// SPDX-License-Identifier: GPL-3.0-or-later
// A model's reply as the run records it. Pure.
#pragma once

#include "core/engine/ledger.h"
#include "core/llm/ensemble.h"
#include "core/llm/model_call.h"
#include "core/patch/patch.h"
#include "core/proposer/reply_source.h"

namespace tilewright {

/// Complete and truncated replies hold answers; a truncated one says so by its finish. All else keeps its text as
/// evidence and its reason as rule.
Response responseOf(const ModelReply& reply);

/// Of a call that was under way when the program ended, from the last body that it left. A whole reply is one, however
/// the program ended; of anything else a further try may have been under way: its use is unknown.
Response responseAfterLoss(const ModelReply& read, const ModelRequest& modelRequest);

/// What came of one of the `parts` proposals of an answer, at its share of the cost.
ModelOutcome outcomeOf(const ModelRequest& modelRequest, double gain, int parts);

/// Dollars as the record counts them; none stays none.
std::optional<std::int64_t> microUsd(std::optional<double> usd);

// What of a stored reply one proposal is, and that part applied to its parent. From the record alone, so it comes out
// the same after a crash.

/// The proposal's own part of its reply; "" if the reply is not in the session.
std::string replyOf(Ledger& ledger, const Proposal& proposal);

/// How many proposals its reply was recorded as; at least 1.
int proposalsOfReply(const RunState& state, const Proposal& proposal);

/// The text of the proposal's first parent; "" if it is not in the session.
std::string parentTextOf(Ledger& ledger, const Proposal& proposal);

/// Its patch, applied. parentText and reply as the functions above give them.
std::expected<PatchResult, Refusal> applyProposal(
    const Ledger& ledger, const Proposal& proposal, const std::string& parentText, const std::string& reply);

} // namespace tilewright
