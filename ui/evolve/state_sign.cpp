// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/state_sign.h"

#include "core/model/person_edit.h"
#include "ui/models/figures.h"
#include "ui/theme/theme.h"

namespace tilewright::ui {

using namespace Qt::StringLiterals;

StateSign stateSignOf(const Candidate& candidate)
{
    const Tokens& t = tokens();
    if (candidate.confirmed && !candidate.disputed)
        return {u"check"_s, t.good};
    if (candidate.confirmed || candidate.outcome == Outcome::Quarantined)
        return {u"warn"_s, t.warning};
    if (isFailure(candidate) || isEndedByPerson(candidate))
        return {u"x"_s, t.bad};
    if (isEditedByPerson(candidate))
        return {u"edit"_s, t.secondary};
    if (candidate.isRanked())
        return {u"wave"_s, t.secondary};
    return {candidate.stage == Stage::Queued ? u"queue"_s : u"hourglass"_s, t.secondary};
}

} // namespace tilewright::ui
