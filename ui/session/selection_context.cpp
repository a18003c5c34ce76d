// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/selection_context.h"

#include <QScopedValueRollback>

namespace tilewright::ui {
namespace {
constexpr std::size_t longestHistory = 200;
}

void SelectionContext::select(CandidateId candidate)
{
    if (candidate && !m_following)
        m_isPersons = true; // the same once more as well: it was chosen for what it is
    if (candidate == m_current) {
        if (candidate && !m_following)
            Q_EMIT sought(candidate);
        return;
    }
    if (candidate) {
        if (!m_visited.empty())
            m_visited.resize(m_at + 1); // a new way forward forgets the old one
        m_visited.push_back(candidate);
        if (m_visited.size() > longestHistory)
            m_visited.erase(m_visited.begin());
        m_at = m_visited.size() - 1;
    }
    show(candidate);
    if (candidate && !m_following)
        Q_EMIT sought(candidate);
}

void SelectionContext::follow(CandidateId candidate)
{
    if (m_isPersons)
        return;
    const QScopedValueRollback following(m_following, true);
    select(candidate);
}

void SelectionContext::hover(CandidateId candidate)
{
    if (candidate == m_hovered)
        return;
    m_hovered = candidate;
    Q_EMIT hoveredChanged(candidate);
}

void SelectionContext::setReference(CandidateId candidate)
{
    m_reference = candidate == m_reference ? CandidateId{} : candidate;
    Q_EMIT referenceChanged(m_reference);
}

void SelectionContext::setIslands(std::set<IslandId> islands)
{
    if (islands == m_islands)
        return;
    m_islands = std::move(islands);
    Q_EMIT islandsChanged();
}

void SelectionContext::setRange(const std::optional<RunRange>& range)
{
    if (range == m_range)
        return;
    m_range = range;
    Q_EMIT rangeChanged();
}

void SelectionContext::clear()
{
    m_visited.clear();
    m_at = 0;
    m_isPersons = false;
    hover({});
    if (m_reference)
        setReference(m_reference);
    setIslands({});
    setRange(std::nullopt);
    show({});
    Q_EMIT cleared();
}

void SelectionContext::back()
{
    if (!canGoBack())
        return;
    m_isPersons = true;
    show(m_visited[--m_at]);
}

void SelectionContext::forward()
{
    if (!canGoForward())
        return;
    m_isPersons = true;
    show(m_visited[++m_at]);
}

void SelectionContext::show(CandidateId candidate)
{
    const bool other = candidate != m_current;
    m_current = candidate;
    if (other)
        Q_EMIT currentChanged(candidate);
    Q_EMIT historyChanged();
}

} // namespace tilewright::ui
