// SPDX-License-Identifier: GPL-3.0-or-later
// Which candidates a table shows, and in which order. Pure; on any thread. Rows are places in RunState::candidates.
#pragma once

#include "ui/models/candidate_model.h"
#include "ui/models/candidate_query.h"
#include "ui/models/run_axis.h"

#include <set>

namespace tilewright::ui {

struct CandidateOrder {
    CandidateQuery query;
    std::set<IslandId> islands; ///< empty: all
    std::optional<RunRange> range;
    std::optional<CandidateModel::Column> column; ///< none: as they came
    bool descending = false; ///< equal ones stand as they came all the same
    CandidateId reference = {}; ///< as CandidateModel::setReference()
};

/// What one column says of a candidate, as it is compared: figures by `number`, words by `words`.
struct CandidateKey {
    double number = 0;
    QString words;
    bool isMissing = false; ///< it has no figure there: behind all that have one, whichever way they are sorted
};

/// One state of the run, looked at by one order. The run must outlive it.
class OrderedCandidates
{
public:
    OrderedCandidates(const RunState& run, const CandidateOrder& order);

    bool fits(int row) const;
    CandidateKey keyOf(int row) const;
    /// Whether the first stands above the second.
    bool isBefore(const CandidateKey& a, int rowA, const CandidateKey& b, int rowB) const;
    /// Of these rows those that fit, in their order.
    std::vector<int> sorted(const std::vector<int>& rows) const;
    /// Of the first `count` rows.
    std::vector<int> sorted(int count) const;

private:
    const RunState& m_run;
    const CandidateOrder& m_order;
    std::optional<RunPlaces> m_places; ///< on the range's axis, as long as there is a range
};

} // namespace tilewright::ui
