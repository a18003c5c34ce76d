// SPDX-License-Identifier: GPL-3.0-or-later
// How a score came about, why scores of different times do not stand on one scale, and why a candidate is disputed: in
// the same words wherever they stand. Pure.
#pragma once

#include "core/model/dispute.h"
#include "core/model/steadiness.h"

#include <QString>

namespace tilewright::ui {

/// Its interval, what it was timed beside and when; of a provisional one what "≈" says and what its score is made of.
/// Empty where it has none.
QString howScored(const RunState& run, const Candidate& candidate);
/// Of a confirmed one whose gain does not hold on the shapes that it was not evolved on; empty where it does.
QString heldoutWarning(const Candidate& candidate);
/// "9.1 %": how far a figure moved that is now so many times what it was before, as a logarithm; up or down.
QString movedBy(double logShare);
/// "−9.1 %": how far the score of a best moved, wherever that is told.
QString driftFigure(const ScoreDrift& drift);
/// Which score of a best moved, how far, and what that means.
QString driftWords(const ScoreDrift& drift);
/// What a person can do about it.
QString driftRemedy();
/// Of a score that stands on another scale than that of the run's best; empty where it does not.
QString otherScaleWords(const RunState& run, const Candidate& candidate);
/// Where the noise floor was not measured: that, and when it will be.
QString noiseNotYet(const RunState& run);
/// "more than the noise floor of ± 0.6 % and than both intervals allow"; where no floor was measured, what was assumed.
QString beyondNoise(const Disagreement& found);
/// What a re-run contradicts, by how much against which floor, and what to do. Empty where the candidate is not
/// disputed.
QString disputeWords(const RunState& run, const Candidate& candidate);

} // namespace tilewright::ui
