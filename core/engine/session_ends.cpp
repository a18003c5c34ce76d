// SPDX-License-Identifier: GPL-3.0-or-later
// How a run comes to rest: what flies is finished first, or cancelled.
#include "core/engine/session.h"

#include "core/base/text.h"

namespace tilewright {

void Session::pause(const std::string& why)
{
    m_onceHere = {};
    if (!isRunning())
        return;
    endWhenIdle(events::Phase::Paused, why);
    m_ending->asTold = m_ending->phase == events::Phase::Paused;
}

void Session::pauseAndCancel()
{
    m_onceHere = {};
    if (!isRunning())
        return;
    if (m_ending && m_ending->held == Held::Measure) // a run that rests measures something again: it rests as it did
        return endAsAsked();
    const std::string cancelled = joined(wordsOfFlight(), ", ");
    m_pipeline->sendBack();
    m_pausedAsTold = true;
    endNow(events::Phase::Paused, "paused by hand" + (cancelled.empty() ? "" : "; cancelled: " + cancelled));
}

std::vector<std::string> Session::wordsOfFlight() const
{
    const PipelineCounts counts = m_pipeline->counts();
    const int requests = m_desk->isAwaited() ? m_desk->correspondence()->out() : 0;
    std::vector<std::string> words;
    const auto add = [&words](int count, const char* one, const char* many) {
        if (count > 0)
            words.push_back(counted(count, one, many));
    };
    add(requests, "request", "requests");
    add(counts.building, "build", "builds");
    add(counts.checking, "check", "checks");
    add(counts.measuring, "measurement", "measurements");
    return words;
}

void Session::stop(const std::string& why)
{
    m_onceHere = {};
    if (!isRunning() && m_ledger->state().phase != events::Phase::Paused)
        return;
    m_pausedAsTold = false;
    endNow(events::Phase::Stopped, why);
}

void Session::endWhenIdle(events::Phase phase, const std::string& reason, const std::string& code, Held held)
{
    const bool isStronger = m_ending && m_ending->phase == events::Phase::Paused && m_ending->held == Held::Await
        && held == Held::Leave; // a person pauses, who does not want to wait
    if (!m_ending || m_ending->phase == events::Phase::Finished || isStronger)
        m_ending = Ending{phase, reason, held, code};
    schedule();
    Q_EMIT changed();
}

void Session::endAsAsked()
{
    const Ending ending = *m_ending;
    m_pausedAsTold = ending.asTold;
    endNow(ending.phase, ending.reason, ending.code);
}

void Session::endNow(events::Phase phase, std::string reason, std::string code)
{
    m_pipeline->cancelAll();
    m_desk->dropPending();
    m_wallTimer.stop();
    m_grace.stop();
    m_tick.stop();
    const std::int64_t total = runNs();
    m_clock.stop();
    m_ending.reset();
    endStep();
    m_endUntold = true;
    m_ledger->record(events::PhaseChanged{phase, std::move(reason), total, std::move(code)});
    if (auto written = m_ledger->flush(); written)
        tellEnd();
    else
        unsaved(written.error());
}

} // namespace tilewright
