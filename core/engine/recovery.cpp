// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/recovery.h"

#include "core/base/text.h"

namespace tilewright {

std::string wordsOfRecovery(const RunState& state)
{
    std::int64_t unmeasured = 0, unconfirmed = 0;
    for (const Candidate& candidate : state.candidates) {
        if (candidate.evaluationNumber == 0 || candidate.isOver() || candidate.stage == Stage::Review)
            continue;
        ++(candidate.outcome == Outcome::None ? unmeasured : unconfirmed); // one with a result is counted already
    }
    if (unmeasured + unconfirmed == 0)
        return {};
    std::string words = "Recovered " + counted(state.evaluationsDone, "evaluation", "evaluations");
    if (unmeasured > 0)
        words += ", " + std::to_string(unmeasured) + (unmeasured == 1 ? " was incomplete" : " were incomplete");
    if (unconfirmed > 0)
        words += ", " + std::to_string(unconfirmed) + (unconfirmed == 1 ? " of them is" : " of them are")
            + " still to be confirmed";
    return words + ".";
}

} // namespace tilewright
