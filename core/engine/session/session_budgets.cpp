// SPDX-License-Identifier: GPL-3.0-or-later
// What a session's run may still use, and when a budget is used up.
#include "core/engine/session/session.h"

#include "core/evolve/population.h"
#include "core/model/reviews/editing.h"

#include <algorithm>
#include <limits>

namespace tilewright {
namespace {

constexpr std::int64_t noLimit = std::numeric_limits<std::int64_t>::max() / 2;

} // namespace

std::int64_t Session::evaluationsLeft() const
{
    const RunState& state = m_ledger->state();
    const std::int64_t budget = state.settings.budget.evaluations;
    const std::int64_t byBudget = budget > 0 ? std::max<std::int64_t>(0, budget - state.evaluationsStarted) : noLimit;
    return m_stepTarget > 0 ? std::clamp<std::int64_t>(m_stepTarget - placesTaken(state), 0, byBudget) : byBudget;
}

bool Session::budgetIsSpent() const
{
    const RunState& state = m_ledger->state();
    return state.settings.budget.evaluations > 0 && state.evaluationsStarted >= state.settings.budget.evaluations;
}

std::int64_t Session::editsToMeasure() const
{
    std::int64_t count = 0;
    const RunState& state = m_ledger->state();
    for (const Review& review : state.reviews)
        if (const Candidate* edited = review.undone ? nullptr : state.candidate(review.edited))
            count += edited->evaluationNumber == 0 && !edited->isOver();
    return count;
}

bool Session::gainIsOverdue() const
{
    const RunState& state = m_ledger->state();
    const std::int64_t most = state.settings.budget.noGain;
    return most > 0 && !isSeedAwaited(state) && state.evaluationsSinceGain() >= most;
}

bool Session::needsBudget() const
{
    if (!m_ledger || isRunning())
        return false;
    const RunState& state = m_ledger->state();
    const double wall = state.settings.budget.wallSeconds;
    const std::int64_t evaluations = state.settings.budget.evaluations;
    return !state.phaseCode.empty() || (evaluations > 0 && state.evaluationsDone >= evaluations)
        || (wall > 0 && static_cast<double>(state.runNs) * 1e-9 >= wall);
}

void Session::armWallTimer()
{
    m_wallTimer.stop();
    m_grace.stop();
    const double limit = m_ledger->state().settings.budget.wallSeconds;
    if (limit <= 0 || !isRunning())
        return;
    const double left = limit - static_cast<double>(runNs()) * 1e-9;
    if (left > 0 && m_clock.isHeld())
        return; // nothing is used of it meanwhile
    m_wallTimer.start(std::chrono::milliseconds(static_cast<std::int64_t>(std::clamp(left, 0.0, 1e6) * 1000)));
}

void Session::graceIsOver()
{
    if (!isRunning() || !m_intake->isAwaited())
        return;
    m_ledger->record(
        events::Noted{"warning", "the wall-time budget is exhausted: replies in flight are no longer awaited",
            "they are requested again when the run resumes"});
    m_intake->dropPending();
    schedule();
}

} // namespace tilewright
