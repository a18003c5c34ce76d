// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/outside_kills.h"

namespace tilewright {

OutsideKills::Advice OutsideKills::note(CandidateId candidate, Work work)
{
    const bool isLast = candidate && ++m_of[candidate] >= ofOne;
    if (++m_inARow[work] >= inARow)
        return Advice::Pause;
    return isLast ? Advice::GiveUp : Advice::Again;
}

void OutsideKills::clear()
{
    m_inARow.clear();
    m_of.clear();
}

} // namespace tilewright
