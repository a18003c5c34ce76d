// SPDX-License-Identifier: GPL-3.0-or-later
// A user's word on candidates that wait for it, and the time in which the run does nothing but wait for it.
#include "core/engine/session/session.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/model/reviews/review_queue.h"

#include <utility>

namespace tilewright {

void Session::takeUpApproved()
{
    if (!isRunning())
        return;
    m_pipeline->enqueueUnfinished();
    schedule();
}

bool Session::awaitsReviews() const
{
    return m_ledger->state().waitingReviews > 0
        && (!m_ending || (m_ending->held == Held::Await && m_ending->phase == events::Phase::Finished));
}

bool Session::awaitsOnlyPerson() const
{
    return isRunning() && awaitsReviews() && m_pipeline->isIdle() && (m_ending || m_pipeline->queued() == 0)
        && m_intake->pending() == 0;
}

bool Session::waitsForOthers() const
{
    return !m_ending && m_intake->isWaiting() && !everyIslandWaits(m_ledger->state());
}

void Session::endStepThatWaits(bool canAsk)
{
    const bool isOver = m_ending ? m_node->isReady() : !canAsk && !waitsForOthers();
    if (!isStepping() || !isOver || !awaitsOnlyPerson())
        return;
    const std::int64_t waiting = m_ledger->state().waitingReviews;
    m_ending = Ending{events::Phase::Paused,
        "no step is possible before you decide: " + counted(waiting, "edit waits", "edits wait") + " for review",
        Held::Leave, {}, true};
}

void Session::countTimeOrNot()
{
    // Where nobody can be asked just now, the run waits for that as well.
    if ((awaitsOnlyPerson() && !waitsForOthers()) == m_clock.isHeld())
        return;
    if (!m_clock.isHeld()) {
        m_clock.hold();
    } else {
        const std::string waited = elapsedText(std::chrono::nanoseconds(m_clock.heldNs()));
        m_clock.goOn();
        if (std::exchange(m_waitIsTold, false))
            m_ledger->record(events::PhaseChanged{
                events::Phase::Running, "resumes after " + waited + " of waiting for a user", m_clock.ns()});
    }
    armWallTimer();
}

void Session::tellWait()
{
    if (!m_clock.isHeld() || std::exchange(m_waitIsTold, true))
        return;
    m_ledger->record(events::PhaseChanged{events::Phase::Running,
        "waits for a user to decide on " + counted(m_ledger->state().waitingReviews, "edit", "edits")
            + ", which does not count as running time",
        m_clock.ns()});
}

} // namespace tilewright
