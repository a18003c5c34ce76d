// SPDX-License-Identifier: GPL-3.0-or-later
// How a run comes to rest: what flies is finished first, or cancelled.
#include "core/engine/session/session.h"

#include "core/base/text.h"

namespace tilewright {

std::vector<std::string> Session::wordsOfFlight() const
{
    const PipelineCounts counts = m_pipeline->counts();
    const int requests = m_intake->isAwaited() ? m_intake->requestQueue()->out() : 0;
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

void Session::endWhenIdle(events::Phase phase, const std::string& reason, const std::string& code, Held held)
{
    const bool isStronger = m_ending && m_ending->phase == events::Phase::Paused && m_ending->held == Held::Await
        && held == Held::Leave; // a user pauses, who does not want to wait
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
    m_intake->dropPending();
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
