// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/candidate_order.h"

#include <algorithm>
#include <numeric>

namespace tilewright::ui {

OrderedCandidates::OrderedCandidates(const RunState& run, const CandidateOrder& order)
    : m_run(run)
    , m_order(order)
{
    if (order.range)
        m_places.emplace(run, order.range->axis);
}

bool OrderedCandidates::fits(int row) const
{
    const Candidate& candidate = m_run.candidates[static_cast<std::size_t>(row)];
    if (candidate.takenBack)
        return false;
    if (m_places) {
        const double place = m_places->of(candidate);
        if (place < m_order.range->from || place > m_order.range->to)
            return false;
    }
    return (m_order.islands.empty() || m_order.islands.contains(candidate.island))
        && m_order.query.accepts(m_run, candidate);
}

CandidateKey OrderedCandidates::keyOf(int row) const
{
    if (!m_order.column)
        return {};
    const QVariant key = CandidateModel::sortKey(
        m_run, m_run.candidates[static_cast<std::size_t>(row)], *m_order.column, m_order.reference);
    if (key.typeId() == QMetaType::QString)
        return {0, key.toString()};
    return {key.toDouble(), {}, !key.isValid()};
}

bool OrderedCandidates::isBefore(const CandidateKey& a, int rowA, const CandidateKey& b, int rowB) const
{
    if (a.isMissing != b.isMissing)
        return b.isMissing;
    const int words = a.words.compare(b.words);
    if (a.number != b.number)
        return (a.number < b.number) != m_order.descending;
    return words != 0 ? (words < 0) != m_order.descending : rowA < rowB;
}

std::vector<int> OrderedCandidates::sorted(const std::vector<int>& rows) const
{
    std::vector<int> found;
    std::ranges::copy_if(rows, std::back_inserter(found), [this](int row) { return fits(row); });
    if (!m_order.column) {
        std::ranges::sort(found);
        return found;
    }
    struct Keyed {
        CandidateKey key;
        int row;
    };
    std::vector<Keyed> keyed;
    keyed.reserve(found.size());
    for (const int row : found)
        keyed.push_back({keyOf(row), row});
    std::ranges::sort(keyed, [this](const Keyed& a, const Keyed& b) { return isBefore(a.key, a.row, b.key, b.row); });
    std::ranges::transform(keyed, found.begin(), &Keyed::row);
    return found;
}

std::vector<int> OrderedCandidates::sorted(int count) const
{
    std::vector<int> rows(static_cast<std::size_t>(count));
    std::iota(rows.begin(), rows.end(), 0);
    return sorted(rows);
}

} // namespace tilewright::ui
