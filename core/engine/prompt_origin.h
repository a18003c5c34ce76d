// SPDX-License-Identifier: GPL-3.0-or-later
// What a prompt in a folder was written for, as the first line of its file: a comment of HTML. From it a replay of the
// folder knows which program each reply was made for. Pure.
#pragma once

#include "core/model/run_state.h"
#include "core/proposer/proposer.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

struct PromptOrigin {
    OfferedAs as; ///< without repairOf
    std::vector<Hash> parents; ///< programs
    bool asksForEdit = true; ///< else for a summary or a judgement: its reply is no edit

    bool operator==(const PromptOrigin& other) const;
};

/// The line, with an empty one behind it; "" for a question that the run does not know.
std::string originLine(const RunState& state, InquiryId inquiry);

/// None for a text whose first line says nothing of it.
std::optional<PromptOrigin> originIn(std::string_view prompt);

} // namespace tilewright
