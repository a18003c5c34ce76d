// SPDX-License-Identifier: GPL-3.0-or-later
// In which order a person marked the candidates of a run, whichever is selected: the record keeps the marks of each by
// themselves. Pure; GUI thread.
#pragma once

#include "core/model/run_state.h"

#include <QString>

namespace tilewright::ui {

class MarkOrder
{
public:
    /// What was marked or taken back since the last time; of a run that is looked at first, as its log tells.
    void follow(const RunState& run);
    /// Another run is followed from here on.
    void forget();
    /// Whose last mark is the newest of all that hold; none: nobody is marked.
    CandidateId newest() const { return m_order.empty() ? CandidateId{} : m_order.back(); }

private:
    std::map<CandidateId, std::size_t> m_seen; ///< marks of each
    std::vector<CandidateId> m_order; ///< one entry a mark, the newest last
};

/// "Undo ban of c-0012", for its last mark.
QString undoMarkWords(const RunState& run, CandidateId candidate);

} // namespace tilewright::ui
