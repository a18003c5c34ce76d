// SPDX-License-Identifier: GPL-3.0-or-later
// A session of any length, event by event as the engine writes them: the shipped demo's candidates again and again
// under new numbers, with parents drawn from those that live. Programs and figures are the demo's; only scores drift.
#pragma once

#include "core/model/run_state.h"
#include "core/model/task/task.h"

#include <functional>
#include <string>
#include <vector>

namespace tilewright::bench {

class CandidateMill
{
public:
    /// Reads the shipped demo, unpacked into this folder.
    static Result<CandidateMill> fromDemo(const std::string& folder);

    const TaskPack& pack() const { return m_pack; }
    /// Of a run of so many candidates.
    RunSettings settings(int candidates) const;
    const std::string& seedText() const { return m_seedText; }

    using Record = std::function<void(EventBody)>;
    void begin(const Record& record) const;
    /// What candidate `number` leaves in the record, from its proposal to its place; `text` names its program. `state`
    /// is what the events recorded so far led to.
    void add(int number, const Hash& text, const RunState& state, const Record& record) const;

private:
    /// What one candidate of the demo left.
    struct Pattern {
        Proposal proposal;
        Candidate candidate;
        Evaluation evaluation;
    };
    CandidateMill(TaskPack pack, RunState demo, std::string seedText);

    TaskPack m_pack;
    RunState m_demo;
    std::string m_seedText;
    std::vector<Pattern> m_patterns;
};

/// A new file. Errors: those of SessionWriter.
Result<void> writeLongSession(const std::string& path, int candidates, const CandidateMill& mill);

} // namespace tilewright::bench
