// SPDX-License-Identifier: GPL-3.0-or-later
// Why a confirmed candidate is not the best, in the same words wherever it stands. Pure.
#pragma once

#include "core/model/claim.h"
#include "core/model/run_state.h"

#include <QString>
#include <string>

namespace tilewright::ui {

/// One or two sentences; empty where there is nothing to explain: see whyNotBest().
QString notBestWords(const RunState& run, const Candidate& candidate);
/// "c-0042 is the best now: 40.3× baseline, 0.97× vendor, 1.03× the last, c-0030."
QString newBestWords(const RunState& run, const Candidate& best);
/// How the best is chosen, for a tool tip beside them.
QString howBestIsChosen();
/// Of an island's best: how its score came about, and why it may stand above that of the run's best.
QString islandBestWords(const RunState& run, const Candidate& best);

// A user's marks on a candidate, in words for the screen. Pure.

/// "starred · pinned · ×2 · fast odd"; empty without marks. What a re-run contradicts says so first.
QString markWords(const RunState& run, const Candidate& candidate);

// What an edit was said to gain, in the same words wherever it stands. Pure.

/// "+8.0 %" where the claim is one number for all shapes, however its author wrote it; else the author's words.
QString claimText(const std::string& claim);

/// How an author's claims stood up: "10.0 percentage points too high, median of 7"; how many there are where they are
/// too few for a median (enoughForAMean); empty of none.
QString pastClaimsWords(const ClaimRecord& claims);
/// By a median that there are enough for.
bool claimsTooMuch(const ClaimRecord& claims);

} // namespace tilewright::ui
