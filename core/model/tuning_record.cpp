// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/tuning_record.h"

#include "core/model/measurement/pair_ladder.h"

#include <algorithm>

namespace tilewright {
namespace {

constexpr double hopeless = 0.25; ///< of the best's speed: constants alone do not make that up

} // namespace

CandidateId tuningBase(const RunState& state, CandidateId id)
{
    const Candidate* at = state.candidate(id);
    while (at && at->tunedFrom && at->tunedFrom < at->id)
        at = state.candidate(at->tunedFrom);
    return at ? at->id : CandidateId{};
}

CandidateId writtenProgram(const RunState& state, CandidateId id) { return tuningBase(state, originOf(state, id)); }

TuningRecord tuningOf(const RunState& state, CandidateId base)
{
    TuningRecord record;
    record.base = base;
    const Candidate* program = state.candidate(base);
    if (!program)
        return record;
    double best = 0;
    const auto take = [&](const Candidate& version) {
        if (version.isRanked() && version.score->value > best) {
            best = version.score->value;
            record.best = version.id;
            record.sinceBest = 0;
        } else if (version.id != base && version.outcome != Outcome::None) {
            ++record.sinceBest;
        }
    };
    take(*program);
    for (std::size_t i = static_cast<std::size_t>(base.value); i < state.candidates.size(); ++i) {
        const Candidate& version = state.candidates[i];
        if (version.migrated || !version.tunedFrom || tuningBase(state, version.id) != base)
            continue;
        ++record.tried;
        record.waiting += version.outcome == Outcome::None && version.stage != Stage::Rejected ? 1 : 0;
        take(version);
    }
    record.isExhausted = std::ranges::any_of(state.proposals, [&](const Proposal& proposal) {
        return proposal.proposer == "tuner" && proposal.rule == "proposer/exhausted" && !proposal.parents.empty()
            && proposal.parents.front() == base;
    });
    return record;
}

bool isVersion(const RunState& state, const Candidate& candidate)
{
    return state.settings.tuning > 0 && candidate.tunedFrom;
}

bool isTunedFirst(const RunState& state, const Candidate& candidate)
{
    const Proposal* proposal = state.proposal(candidate.proposal);
    const bool isWritten = proposal
        && (proposal->modelRequest || proposal->proposer == "person"
            || (proposal->proposer == "replay" && proposal->focus != Focus::Tune));
    const Candidate* best = state.candidate(state.incumbent);
    const bool isHopeless
        = best && best->isRanked() && candidate.isRanked() && candidate.score->value < hopeless * best->score->value;
    return state.settings.tuning > 0 && isWritten && !isHopeless && candidate.isRanked()
        && candidate.stage == Stage::Done && !candidate.tunables.empty() && !candidate.tunedFrom && !candidate.migrated
        && !candidate.takenBack;
}

} // namespace tilewright
