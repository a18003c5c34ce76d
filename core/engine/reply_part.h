// SPDX-License-Identifier: GPL-3.0-or-later
// What of a stored reply one proposal is, and that part applied to its parent. From the record alone, so it comes out
// the same after a crash.
#pragma once

#include "core/engine/ledger.h"
#include "core/patch/patch.h"

namespace tilewright {

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
