// SPDX-License-Identifier: GPL-3.0-or-later
// What the node is doing for the pipeline at this moment, and the record of it once it ends: one event a piece of work,
// with the run time of its beginning and end. Owner: Pipeline, on the engine's thread.
#pragma once

#include "core/engine/ledger.h"

#include <functional>
#include <vector>

namespace tilewright {

class WorkLog
{
public:
    /// runTime: nanoseconds this run has been running so far.
    WorkLog(Ledger& ledger, std::function<std::int64_t()> runTime);

    /// It was sent to the node. A candidate has one piece of work under way at a time.
    /// device: the id of the one that it goes to; of a build: nothing.
    void begin(CandidateId candidate, Work work, const std::string& device = {});
    /// Another program still holds the device that it goes to: it begins no earlier than now.
    void waits(CandidateId candidate);
    /// The node answered. workedNs: how long it worked, by its own clock; 0 if it did not say. rule: why the work came
    /// to nothing, or empty. Nothing happens where nothing was under way.
    void end(CandidateId candidate, std::int64_t workedNs, const std::string& rule);
    /// It was dropped.
    void drop(CandidateId candidate) { end(candidate, 0, "cancelled"); }
    void dropAll();
    /// The node measured noise with this candidate, just now and for so long.
    void noise(CandidateId incumbent, const std::string& device, std::int64_t workedNs);

    /// endedNs is 0; startedNs the time it was sent, or was last known to wait for another program: whether it waits
    /// for others of this run, nobody knows yet.
    const std::vector<WorkSpan>& underWay() const { return m_underWay; }

private:
    int freePlace() const;
    void place(WorkSpan& span, const std::string& device) const;

    Ledger& m_ledger;
    std::function<std::int64_t()> m_runTime;
    std::vector<WorkSpan> m_underWay; ///< in the order they were sent
};

} // namespace tilewright
