// SPDX-License-Identifier: GPL-3.0-or-later
// Which results of a reply go back to who wrote it. A patch that did not apply earns one repair and one rewrite; a
// program that failed, or is clearly slower than what it was made from, earns the island's repair turns, each with what
// was found (Kevin-32B, arXiv 2507.11948: verifier feedback in the same conversation). Pure.
#pragma once

#include "core/model/run_state.h"

namespace tilewright {

/// What a further turn would be about; None: the reply earns no further turn.
enum class FurtherTurn { None, PatchRepair, Rewrite, ProgramRepair };

/// The turn that a proposal of a model or of manual replies earns now. None where another program of the same reply got
/// a place: then the next request tells of the failure. A program's turns end as well when the island's are used, and
/// when it fails as the turn before it did.
FurtherTurn earnedTurn(const RunState& state, const Proposal& proposal);

/// Whether other programs of the same reply are on their way, so that it is not known yet whether one gets a place.
/// What waits for a user is not waited for.
bool awaitsSiblings(const RunState& state, const Proposal& proposal);

/// The candidate that was made of the proposal; null if none was.
const Candidate* candidateOf(const RunState& state, const Proposal& proposal);

/// Whether a program failed, was measured clearly slower than the one it was made from ("clearly" is the whole interval
/// below clearlySlower), or its hot loop keeps values on the stack, which that of the one it was made from does not.
inline constexpr double clearlySlower = 0.9;
bool wantsMending(const RunState& state, const Candidate& candidate);

} // namespace tilewright
