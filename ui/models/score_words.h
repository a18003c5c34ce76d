// SPDX-License-Identifier: GPL-3.0-or-later
// How a score came about, why scores of different times do not stand on one scale, and why a candidate is disputed: in
// the same words wherever they stand. Pure.
#pragma once

#include "core/model/measurement/dispute.h"
#include "core/model/measurement/steadiness.h"

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
/// What a user can do about it.
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

// What came out when a candidate was measured again, beside the verdict that holds: in the same words wherever they
// stand. Pure.

/// Of a re-run that is in the run: a word or two for a table.
QString words(Agreement agreement);
/// The same in a sentence, with the figures of both: "It agrees with the verdict: 1.43× now, 1.42× before; …".
QString agreementWords(const RunState& run, const Candidate& candidate, const Evaluation& rerun);
/// Candidate, what was unlike a confirmation, and what came out: one or more sentences for a message.
QString rerunEnded(const RunState& run, const Rerun& rerun);
/// Samples of a result: "48", "16–48" where its shapes differ; "–" where nothing was timed.
QString samplesOf(const EvaluationResult& result);

} // namespace tilewright::ui
