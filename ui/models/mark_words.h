// SPDX-License-Identifier: GPL-3.0-or-later
// A person's marks on a candidate, in words for the screen. Pure.
#pragma once

#include "core/model/run_state.h"

#include <QString>

namespace tilewright::ui {

/// "starred · pinned · ×2 · fast odd"; empty without marks. What a re-run contradicts says so first.
QString markWords(const RunState& run, const Candidate& candidate);

/// "ban of c-0012": what its last mark changed.
QString lastMarkWords(const RunState& run, CandidateId candidate);
/// "Banned c-0012": the same, as done.
QString lastMarkDone(const RunState& run, CandidateId candidate);
/// "c-0012 is banned again.": what holds once its last mark is taken back, where lastMarkWords() says that something
/// was lifted; else empty.
QString marksThenWords(const RunState& run, CandidateId candidate);
/// "Undo ban of c-0012", for its last mark.
QString undoMarkWords(const RunState& run, CandidateId candidate);

} // namespace tilewright::ui
