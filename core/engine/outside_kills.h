// SPDX-License-Identifier: GPL-3.0-or-later
// Processes that somebody else ended while they worked for a run: when one more try is due, when the run had better
// pause, and when it is always the same program's, so that the others need not wait for it. Pure; owner: Pipeline.
#pragma once

#include "core/base/ids.h"
#include "core/model/work.h"

#include <map>

namespace tilewright {

class OutsideKills
{
public:
    enum class Advice { Again, Pause, GiveUp };
    static constexpr int inARow
        = 3; ///< with no work of that kind between them: it is the machine's, whoever's turn it was
    static constexpr int ofOne = 5; ///< of one candidate, while that of others came to its end

    /// One more was ended, at this work on the candidate; of no candidate's if the id is 0.
    Advice note(CandidateId candidate, Work work);
    /// Work of this kind came to its end.
    void finished(Work work) { m_inARow.erase(work); }
    void forget(CandidateId candidate) { m_of.erase(candidate); }
    /// The run pauses: what comes after it counts anew.
    void clear();

private:
    std::map<Work, int> m_inARow;
    std::map<CandidateId, int> m_of;
};

} // namespace tilewright
