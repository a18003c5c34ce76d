// SPDX-License-Identifier: GPL-3.0-or-later
// What the user looks at: the current candidate, the one that others are compared with, the island filter, the
// stretch of the run, and the way back. One for the session; every view sets it and listens to it, no view calls
// another. GUI thread.
#pragma once

#include "core/base/ids.h"
#include "ui/models/run_axis.h"

#include <QObject>
#include <set>
#include <vector>

namespace tilewright::ui {

class SelectionContext : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    CandidateId current() const { return m_current; }
    CandidateId hovered() const { return m_hovered; }
    CandidateId reference() const { return m_reference; }
    /// Empty: all islands are shown.
    const std::set<IslandId>& islands() const { return m_islands; }
    bool shows(IslandId island) const { return m_islands.empty() || m_islands.contains(island); }
    /// The part of the run that tables of candidates are narrowed to; none: all of it.
    const std::optional<RunRange>& range() const { return m_range; }

    void select(CandidateId candidate);
    /// The program chooses, as long as no user has: views mark it, and none moves away from where a user looks.
    void follow(CandidateId candidate);
    bool isFollowing() const { return m_following; }
    /// A user reads what is selected, or does something to it: it is theirs from here on, as if they had selected it.
    void hold() { m_isPersons = m_isPersons || m_current; }
    /// A user selected or held it: it stays, whatever becomes the best.
    bool isPersons() const { return m_isPersons; }
    void hover(CandidateId candidate);
    /// Whom diffs compare with, in place of the parent. The same once more lets go of it.
    void setReference(CandidateId candidate);
    void setIslands(std::set<IslandId> islands);
    void setRange(const std::optional<RunRange>& range);
    /// Forgets everything, for another session.
    void clear();

    bool canGoBack() const { return m_at > 0; }
    bool canGoForward() const { return m_at + 1 < m_visited.size(); }
    void back();
    void forward();

Q_SIGNALS:
    void currentChanged(tilewright::CandidateId candidate);
    /// A user went to it, be it the current one already: views move to where it stands.
    void sought(tilewright::CandidateId candidate);
    void hoveredChanged(tilewright::CandidateId candidate);
    void referenceChanged(tilewright::CandidateId candidate);
    void islandsChanged();
    void rangeChanged();
    void historyChanged();
    /// Everything was forgotten; what a view filters by beside this goes as well.
    void cleared();

private:
    void show(CandidateId candidate);

    CandidateId m_current, m_hovered, m_reference;
    std::set<IslandId> m_islands;
    std::optional<RunRange> m_range;
    std::vector<CandidateId> m_visited;
    std::size_t m_at = 0;
    bool m_following = false; ///< while follow() tells
    bool m_isPersons = false; ///< what is selected
};

} // namespace tilewright::ui
