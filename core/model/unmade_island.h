// SPDX-License-Identifier: GPL-3.0-or-later
// What is under way for an island that was added and is taken back: what is not being measured yet is withdrawn with
// it, and answers that are still to come are recorded and not used; what is being measured is finished. Part of
// apply(): see run_state.h.
#pragma once

#include "core/model/island_lever.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

struct RunState;

struct UnderWay {
    std::vector<CandidateId> unmeasured; ///< made for it; nothing of them is being measured yet
    std::vector<CandidateId> measured; ///< being measured
    std::vector<InquiryId> asked; ///< questions for edits that were not answered yet

    bool operator==(const UnderWay&) const = default;
};
UnderWay underWayFor(const RunState& state, IslandId island);
/// What becomes of it once the island is taken back: "2 edits made for it are withdrawn, 1 that is being measured is
/// finished"; empty where nothing is under way.
std::string wordsOf(const UnderWay& underWay);

/// Whether the island was added and taken back.
bool isUnmade(const RunState& state, IslandId island);
/// What an island takes with it. Errors: event/unknown-id.
Result<void> withdrawWith(RunState& state, const events::LeverUndone& event);

} // namespace tilewright
