// SPDX-License-Identifier: GPL-3.0-or-later
// What the run brings while somebody may look elsewhere: that a candidate was measured again, with what came out, what
// became of a version that the person wrote, and that another one is the best. Of several bests only the newest is in
// sight; the page of all that was said has the others. GUI thread.
#pragma once

#include "ui/session/session.h"

#include <functional>
#include <set>

namespace tilewright::ui {

class MessageBar;

class RunNews : public QObject
{
    Q_OBJECT

public:
    /// isRead: whether the person has the runs of that candidate before them.
    RunNews(const Session& session, MessageBar& bar, std::function<bool(CandidateId)> isRead, QObject* parent);
    /// After each snapshot.
    void follow();
    /// Another session is open: what it holds already is no news.
    void startAnew() { m_isKnown = false; }

Q_SIGNALS:
    void runsWanted(tilewright::CandidateId candidate);
    void candidateWanted(tilewright::CandidateId candidate);

private:
    void tellRerun(const Rerun& rerun);
    void tellOwn(const Candidate& written);
    void tellBest();

    const Session& m_session;
    MessageBar& m_bar;
    std::function<bool(CandidateId)> m_isRead;
    bool m_isKnown = false;
    std::set<RerunId> m_open; ///< re-runs that had no result yet
    std::size_t m_reruns = 0; ///< that were known
    std::set<CandidateId> m_own; ///< versions of the person's that are on the way
    std::size_t m_candidates = 0; ///< that were known
    std::size_t m_bests = 0; ///< that were proven
};

} // namespace tilewright::ui
