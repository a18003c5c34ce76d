// SPDX-License-Identifier: GPL-3.0-or-later
// A run of made-up figures: a seed and four edits of it by the mutator, who claims of c-0002 to c-0004 what they bring
// 5, 10 and 20 points less than that, and of c-0005 nothing in numbers.
#pragma once

#include "core/model/run_state.h"

#include <QtGlobal>

namespace tilewright::testing {

inline RunState claimedRun()
{
    RunState run;
    const auto happen = [&run](EventBody body) {
        if (const auto done = apply(run, {{1}, run.lastSeq + 1, "2026-01-01T00:00:00Z", std::move(body)}); !done)
            qFatal("%s", done.error().text.c_str());
    };
    RunSettings settings;
    settings.taskName = "t";
    happen(events::RunCreated{settings});
    happen(events::IslandCreated{{1}, "A", "evolve", Focus::Explore});
    const struct {
        const char* claim;
        double score;
    } made[] = {{"", 1.0}, {"+10 %", 1.05}, {"+10 %", 1.0}, {"1.3x", 1.1}, {"says nothing", 1.2}};
    std::int64_t id = 0;
    for (const auto& [claim, score] : made) {
        ++id;
        Proposal proposal;
        proposal.id = {id};
        proposal.island = {1};
        proposal.proposer = id == 1 ? "seed" : "mutator";
        proposal.claim = claim;
        happen(events::Proposed{proposal});
        Candidate candidate;
        candidate.id = {id};
        candidate.island = {1};
        candidate.proposal = proposal.id;
        candidate.program = sha256(std::to_string(id));
        if (id > 1)
            candidate.parents = {{1}};
        candidate.stage = Stage::Done;
        candidate.outcome = Outcome::Ranked;
        candidate.score = Interval{score, score, score};
        happen(events::CandidateMade{candidate});
    }
    return run;
}

} // namespace tilewright::testing
