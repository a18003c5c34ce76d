// SPDX-License-Identifier: GPL-3.0-or-later
// A run made event by event, as the engine records one, with the texts that it refers to: for tests and benches of the
// lineage. Its figures are made up.
#pragma once

#include "core/lineage/session_texts.h"
#include "core/model/run_state.h"

#include <map>
#include <string>
#include <vector>

namespace tilewright::test {

class MadeRun
{
public:
    /// A run of the task gemm-fp32-cpu that begins with this seed, measured and admitted.
    explicit MadeRun(const std::string& seed, const std::string& atUtc = "2026-11-23T23:00:25.003Z");

    /// What a candidate is made of.
    struct Edit {
        std::vector<CandidateId> parents;
        std::string text; ///< of its program
        double score = 1; ///< 0: it does not build
        std::string title = {}, reasoning = {}, proposer = "mutator";
        std::string model = {}; ///< whose request it answers; empty: nobody is asked
        IslandId island{1};
        bool isAdmitted = true; ///< where it has a score
    };
    CandidateId add(const Edit& edit);
    /// A copy of it on an island.
    CandidateId migrate(CandidateId candidate, IslandId to);
    /// A confirmation of it with this score; then it is the best of the run.
    void confirm(CandidateId candidate, double score);
    void record(EventBody body);
    /// From the next event on.
    void setTime(const std::string& atUtc) { m_atUtc = atUtc; }

    const RunState& state() const { return m_state; }
    const std::vector<Event>& events() const { return m_events; }
    /// The state after the first so many events.
    RunState stateAfter(std::size_t events) const;
    TextOf textOf() const;
    const std::map<Hash, std::string>& texts() const { return m_texts; }
    const std::string& text(CandidateId candidate) const { return m_texts.at(m_state.candidate(candidate)->source); }

private:
    Hash keep(const std::string& text);
    EvaluationResult result(double score, Purpose purpose) const;
    void evaluate(CandidateId candidate, double score, Purpose purpose);

    RunState m_state;
    std::vector<Event> m_events;
    std::map<Hash, std::string> m_texts;
    std::string m_atUtc;
};

} // namespace tilewright::test
