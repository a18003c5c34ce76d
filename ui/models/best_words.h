// SPDX-License-Identifier: GPL-3.0-or-later
// Why a confirmed candidate is not the best, in the same words wherever it stands. Pure.
#pragma once

#include "core/model/run_state.h"

#include <QString>

namespace tilewright::ui {

/// One or two sentences; empty where there is nothing to explain: see whyNotBest().
QString notBestWords(const RunState& run, const Candidate& candidate);
/// "c-0042 is the best now: 40.3× baseline, 0.97× vendor, 1.03× the last, c-0030."
QString newBestWords(const RunState& run, const Candidate& best);
/// How the best is chosen, for a tool tip beside them.
QString howBestIsChosen();
/// Of an island's best: how its score came about, and why it may stand above that of the run's best.
QString islandBestWords(const RunState& run, const Candidate& best);

} // namespace tilewright::ui
