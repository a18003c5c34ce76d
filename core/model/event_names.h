// SPDX-License-Identifier: GPL-3.0-or-later
// The words of events and of the screen for the enumerations of events.
#pragma once

#include "core/base/names.h"
#include "core/model/candidate.h"
#include "core/model/event.h"
#include "core/model/islands/island_steering.h"
#include "core/model/islands/placement.h"
#include "core/model/reviews/review.h"

namespace tilewright {

inline constexpr NameTable<events::Phase, 5> phaseNames{
    {{events::Phase::Created, "created"}, {events::Phase::Running, "running"}, {events::Phase::Paused, "paused"},
        {events::Phase::Finished, "finished"}, {events::Phase::Stopped, "stopped"}}};

inline constexpr NameTable<Work, 6> workNames{{{Work::Build, "build"}, {Work::Check, "check"}, {Work::Screen, "screen"},
    {Work::CheckAll, "check_all"}, {Work::Confirm, "confirm"}, {Work::Noise, "noise"}}};
inline constexpr NameTable<JudgeVerdict, 4> judgeVerdictNames{{{JudgeVerdict::Measure, "measure"},
    {JudgeVerdict::Repeat, "repeat"}, {JudgeVerdict::Wrong, "wrong"}, {JudgeVerdict::Unclear, "unclear"}}};

inline constexpr NameTable<Placing, 2> placingNames{{{Placing::Copy, "copy"}, {Placing::Move, "move"}}};

inline constexpr NameTable<ReviewPolicy, 3> reviewPolicyNames{
    {{ReviewPolicy::Automatic, "automatic"}, {ReviewPolicy::Risky, "risky"}, {ReviewPolicy::Every, "every"}}};
inline constexpr NameTable<Decision, 5> decisionNames{{{Decision::Waiting, "waiting"}, {Decision::Deferred, "deferred"},
    {Decision::Approved, "approved"}, {Decision::Edited, "edited"}, {Decision::Rejected, "rejected"}}};

inline constexpr NameTable<Standing, 3> standingNames{
    {{Standing::Living, "living"}, {Standing::Paused, "paused"}, {Standing::Ended, "ended"}}};
inline constexpr NameTable<MigrationPlan::Ways, 3> waysNames{
    {{MigrationPlan::Ways::Ring, "ring"}, {MigrationPlan::Ways::Off, "off"}, {MigrationPlan::Ways::Drawn, "drawn"}}};
/// What a user may ask an island for.
inline constexpr NameTable<Focus, 4> aimNames{
    {{Focus::Explore, "explore"}, {Focus::Exploit, "exploit"}, {Focus::Crossover, "crossover"}, {Focus::Tune, "tune"}}};
inline constexpr NameTable<double FocusMix::*, 5> mixNames{
    {{&FocusMix::explore, "explore"}, {&FocusMix::neighbour, "neighbour"}, {&FocusMix::exploit, "exploit"},
        {&FocusMix::crossover, "crossover"}, {&FocusMix::tune, "tune"}}};

// The words of events and of the screen for the enumerations of candidate.h.

inline constexpr NameTable<Focus, 6> focusNames{{{Focus::Explore, "explore"}, {Focus::Exploit, "exploit"},
    {Focus::Crossover, "crossover"}, {Focus::Repair, "repair"}, {Focus::Rewrite, "rewrite"}, {Focus::Tune, "tune"}}};
inline constexpr NameTable<ProposalState, 5> proposalStateNames{
    {{ProposalState::Open, "open"}, {ProposalState::Refused, "refused"}, {ProposalState::Duplicate, "duplicate"},
        {ProposalState::Accepted, "accepted"}, {ProposalState::Withdrawn, "withdrawn"}}};
inline constexpr NameTable<ModelRequestState, 4> modelRequestStateNames{
    {{ModelRequestState::Open, "open"}, {ModelRequestState::Complete, "complete"},
        {ModelRequestState::Incomplete, "incomplete"}, {ModelRequestState::Failed, "failed"}}};
inline constexpr NameTable<Stage, 8> stageNames{{{Stage::Queued, "queued"}, {Stage::Building, "building"},
    {Stage::Checking, "checking"}, {Stage::Review, "review"}, {Stage::Screening, "screening"},
    {Stage::Confirming, "confirming"}, {Stage::Done, "done"}, {Stage::Rejected, "rejected"}}};

} // namespace tilewright
