// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/work_log.h"

#include <algorithm>

namespace tilewright {

WorkLog::WorkLog(Ledger& ledger, std::function<std::int64_t()> runTime)
    : m_ledger(ledger)
    , m_runTime(std::move(runTime))
{
}

int WorkLog::freePlace() const
{
    int place = 1;
    while (std::ranges::find(m_underWay, place, &WorkSpan::place) != m_underWay.end())
        ++place;
    return place;
}

void WorkLog::place(WorkSpan& span, const std::string& device) const
{
    const WorkRecord& record = m_ledger.state().work;
    span.device = record.first;
    for (std::size_t i = 0; i < record.devices.size(); ++i)
        if (record.devices[i].id == device)
            span.device = static_cast<int>(i);
    span.on = device == m_ledger.state().device ? "" : device;
}

void WorkLog::begin(CandidateId candidate, Work work, const std::string& device)
{
    WorkSpan span;
    span.candidate = candidate;
    span.work = work;
    span.place = work == Work::Build ? freePlace() : 0;
    place(span, device);
    span.askedNs = span.startedNs = m_runTime();
    m_underWay.push_back(std::move(span));
}

void WorkLog::waits(CandidateId candidate)
{
    const auto found = std::ranges::find(m_underWay, candidate, &WorkSpan::candidate);
    if (found != m_underWay.end())
        found->startedNs = std::max(m_runTime(), found->startedNs);
}

void WorkLog::end(CandidateId candidate, std::int64_t workedNs, const std::string& rule)
{
    const auto found = std::ranges::find(m_underWay, candidate, &WorkSpan::candidate);
    if (found == m_underWay.end())
        return;
    WorkSpan span = std::move(*found);
    m_underWay.erase(found);
    span.endedNs = std::max(m_runTime(), span.askedNs);
    span.endedNs = std::max(span.endedNs, span.startedNs);
    if (workedNs > 0)
        span.startedNs = std::max(span.startedNs, span.endedNs - workedNs);
    span.rule = rule;
    m_ledger.record(events::WorkDone{std::move(span)});
}

void WorkLog::dropAll()
{
    while (!m_underWay.empty())
        drop(m_underWay.front().candidate);
}

void WorkLog::noise(CandidateId incumbent, const std::string& device, std::int64_t workedNs)
{
    WorkSpan span;
    span.candidate = incumbent;
    span.work = Work::Noise;
    place(span, device);
    span.endedNs = m_runTime();
    span.startedNs = span.askedNs = std::max<std::int64_t>(span.endedNs - workedNs, 0);
    m_ledger.record(events::WorkDone{std::move(span)});
}

} // namespace tilewright
