// SPDX-License-Identifier: GPL-3.0-or-later
// The words of events and of the screen for the enumerations of candidate.h.
#pragma once

#include "core/base/names.h"
#include "core/model/candidate.h"

namespace tilewright {

inline constexpr NameTable<Focus, 6> focusNames{{{Focus::Explore, "explore"}, {Focus::Exploit, "exploit"},
    {Focus::Crossover, "crossover"}, {Focus::Repair, "repair"}, {Focus::Rewrite, "rewrite"}, {Focus::Tune, "tune"}}};
inline constexpr NameTable<ProposalState, 5> proposalStateNames{
    {{ProposalState::Open, "open"}, {ProposalState::Refused, "refused"}, {ProposalState::Duplicate, "duplicate"},
        {ProposalState::Accepted, "accepted"}, {ProposalState::Withdrawn, "withdrawn"}}};
inline constexpr NameTable<InquiryState, 4> inquiryStateNames{{{InquiryState::Open, "open"},
    {InquiryState::Complete, "complete"}, {InquiryState::Incomplete, "incomplete"}, {InquiryState::Failed, "failed"}}};
inline constexpr NameTable<Stage, 8> stageNames{{{Stage::Queued, "queued"}, {Stage::Building, "building"},
    {Stage::Checking, "checking"}, {Stage::Review, "review"}, {Stage::Screening, "screening"},
    {Stage::Confirming, "confirming"}, {Stage::Done, "done"}, {Stage::Rejected, "rejected"}}};

} // namespace tilewright
