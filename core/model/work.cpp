// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/work.h"

#include "core/base/clock.h"
#include "core/model/event.h"
#include "core/model/event_names.h"

#include <algorithm>

namespace tilewright {
namespace {

/// One event kind a member; all others tell nothing of work.
class Follower
{
public:
    Follower(WorkRecord& record, const Event& event, std::int64_t runNs)
        : m_record(record)
        , m_event(event)
        , m_runNs(runNs)
    {
    }

    void operator()(const events::DeviceFound& e)
    {
        const std::string name = e.facts.is_object() ? e.facts.value("name", "") : "";
        m_record.first = indexOf({e.device, name});
        for (const std::string& other : e.others)
            indexOf({other, name});
    }

    void operator()(const events::PhaseChanged& e)
    {
        const bool runs = e.phase == events::Phase::Running;
        m_record.runningSinceMs = runs ? millisecondsOf(m_event.atUtc).value_or(0) : 0;
        m_record.runNsThen = m_runNs;
        m_record.open.clear(); // what was under way came to no end that anybody saw
    }

    void operator()(const events::StageReached& e)
    {
        if (e.stage == Stage::Screening)
            close(e.candidate, "", 0);
        m_record.open.erase(e.candidate);
        if (e.stage == Stage::Checking)
            open(e.candidate, Work::Check);
        else if (e.stage == Stage::Screening)
            open(e.candidate, Work::Screen);
        else if (e.stage == Stage::Confirming)
            open(e.candidate, Work::Confirm);
    }

    void operator()(const events::ReviewAsked& e) { close(e.candidate, "", 0); }
    void operator()(const events::Evaluated& e)
    {
        const EvaluationResult& result = e.evaluation.result;
        close(e.evaluation.candidate, result.rule, result.wallNs);
        if (auto seen = conditionsIn(result.environment)) {
            seen->runNs = e.runNs;
            seen->evaluation = e.evaluation.id;
            seen->candidate = e.evaluation.candidate;
            seen->device = e.evaluation.device;
            m_record.conditions.push_back(std::move(*seen));
        }
    }

    void operator()(const events::WorkDone& e)
    {
        if (e.span.work != Work::Noise)
            m_record.open.erase(e.span.candidate); // this is what happened
        WorkSpan span = e.span;
        span.device = deviceOf(span.on);
        span.derived = false;
        m_record.spans.push_back(std::move(span));
    }

    void operator()(const events::NoiseMeasured& e)
    {
        m_record.noise.push_back({now(), e.floor, e.blocks, deviceOf(e.device)});
    }

    void operator()(const events::Noted& e)
    {
        if (e.hint == nodeStartedAnew)
            m_record.nodeEnds.push_back({now(), e.text});
    }

    template <typename Other> void operator()(const Other&) { }

private:
    /// Run time of this event, by the clock on the wall since the run was started; never less than what is known.
    std::int64_t now() const
    {
        if (m_record.runningSinceMs == 0)
            return m_runNs;
        const auto then = millisecondsOf(m_event.atUtc);
        const std::int64_t passedMs = then ? *then - m_record.runningSinceMs : 0;
        return std::max(m_runNs, m_record.runNsThen + passedMs * 1'000'000);
    }

    void open(CandidateId candidate, Work work)
    {
        if (m_record.runningSinceMs == 0)
            return;
        WorkSpan span;
        span.candidate = candidate;
        span.work = work;
        span.device = m_record.first;
        span.askedNs = span.startedNs = now();
        span.derived = true;
        m_record.open.emplace(candidate, std::move(span));
    }

    /// Its place in the list; a new one at the end.
    int indexOf(const MeasuringDevice& device)
    {
        const auto found = std::ranges::find(m_record.devices, device);
        const auto index = static_cast<int>(found - m_record.devices.begin());
        if (found == m_record.devices.end())
            m_record.devices.push_back(device);
        return index;
    }

    /// The newest of this id; the run's first where there is none, or none is named.
    int deviceOf(const std::string& id) const
    {
        for (std::size_t i = m_record.devices.size(); !id.empty() && i-- > 0;)
            if (m_record.devices[i].id == id)
                return static_cast<int>(i);
        return m_record.first;
    }

    /// workedNs: how long the node timed, by its own clock; 0 where it does not say.
    void close(CandidateId candidate, const std::string& rule, std::int64_t workedNs)
    {
        const auto found = m_record.open.find(candidate);
        if (found == m_record.open.end())
            return;
        WorkSpan span = std::move(found->second);
        m_record.open.erase(found);
        span.endedNs = std::max(now(), span.askedNs);
        if (workedNs > 0)
            span.startedNs = std::max(span.askedNs, span.endedNs - workedNs);
        span.rule = rule;
        // All shapes were checked before they were timed.
        if (span.work == Work::Confirm && span.startedNs > span.askedNs) {
            WorkSpan check = span;
            check.work = Work::CheckAll;
            check.startedNs = check.askedNs;
            check.endedNs = span.askedNs = span.startedNs;
            check.rule.clear();
            m_record.spans.push_back(std::move(check));
        } else if (span.work == Work::Confirm && workedNs == 0) {
            span.work = Work::CheckAll; // it was refused before any timing
        }
        m_record.spans.push_back(std::move(span));
    }

    WorkRecord& m_record;
    const Event& m_event;
    std::int64_t m_runNs;
};

} // namespace

std::string nameOf(Work work) { return nameIn(workNames, work); }

void followWork(WorkRecord& record, const Event& event, std::int64_t runNs)
{
    std::visit(Follower(record, event, runNs), event.body);
}

const WorkSpan* lastDone(const WorkRecord& record, CandidateId candidate, Work work)
{
    for (std::size_t i = record.spans.size(); i > 0; --i)
        if (const WorkSpan& span = record.spans[i - 1];
            span.candidate == candidate && span.work == work && span.rule.empty())
            return &span;
    return nullptr;
}

} // namespace tilewright
