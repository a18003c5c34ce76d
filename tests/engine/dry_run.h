// SPDX-License-Identifier: GPL-3.0-or-later
// A whole run in memory: strategy and proposers as they are, results from the synthetic landscape, events applied to a
// state; no process, no file, no clock. For tests of what is proposed and how well it searches.
#pragma once

#include "core/evolve/island_events.h"
#include "core/proposer/proposer.h"
#include "tests/engine/landscape.h"

#include <unordered_map>

namespace tilewright::testing {

class DryRun
{
public:
    /// Searches with settings.proposer, on the islands that foundersOf() makes of the settings.
    DryRun(TaskPack pack, RunSettings settings, SpeedOf speedOf = syntheticSpeed);
    /// A twin that has come equally far and goes on by itself.
    DryRun(const DryRun& other);

    /// Goes on until so many evaluations were started.
    void runTo(std::int64_t evaluations);
    /// Carries an order out; throws what is said against it.
    void order(const IslandCommand& order);
    /// What would be asked for now.
    std::optional<ProposalRequest> next() const;
    const RunState& state() const { return m_state; }
    const TaskPack& pack() const { return m_pack; }
    const std::vector<Event>& events() const { return m_events; }
    std::string text(const Hash& hash) const;
    /// Best synthetic speed among the first `evaluations`.
    double bestAt(std::int64_t evaluations) const;
    std::int64_t unanswered() const { return m_unanswered; }

private:
    void record(EventBody body);
    Hash keep(const std::string& text);
    void make(const ProposalRequest& request, const Offer& offer);
    void measure(CandidateId id);
    void settle(CandidateId id);

    TaskPack m_pack;
    SpeedOf m_speedOf = syntheticSpeed;
    RunState m_state;
    std::map<std::string, std::unique_ptr<Proposer>> m_proposers;
    std::unordered_map<Hash, std::string> m_texts;
    std::vector<Event> m_events;
    std::vector<double> m_speeds;
    std::int64_t m_unanswered = 0;
};

/// A program with one more line at the end of its EVOLVE-BLOCK, as a user writes it.
inline std::string withLine(std::string program, const std::string& line)
{
    program.insert(program.rfind('\n', program.find("EVOLVE-BLOCK-END")) + 1, line + "\n");
    return program;
}

/// The pack of this name in kernels/ of the source tree.
TaskPack gemmPack(const std::string& name = "gemm-fp32-cpu");

} // namespace tilewright::testing
