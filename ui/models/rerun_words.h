// SPDX-License-Identifier: GPL-3.0-or-later
// What came out when a candidate was measured again, beside the verdict that holds: in the same words wherever they
// stand. Pure.
#pragma once

#include "core/model/dispute.h"

#include <QString>

namespace tilewright::ui {

/// Of a re-run that is in the run: a word or two for a table.
QString words(Agreement agreement);
/// The same in a sentence, with the figures of both: "It agrees with the verdict: 1.43× now, 1.42× before; …".
QString agreementWords(const RunState& run, const Candidate& candidate, const Evaluation& rerun);
/// Candidate, what was unlike a confirmation, and what came out: one or more sentences for a message.
QString rerunEnded(const RunState& run, const Rerun& rerun);
/// Samples of a result: "48", "16–48" where its shapes differ; "–" where nothing was timed.
QString samplesOf(const EvaluationResult& result);

} // namespace tilewright::ui
