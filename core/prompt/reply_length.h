// SPDX-License-Identifier: GPL-3.0-or-later
// How long the replies to a template's prompts have been in a run. Pure.
#pragma once

#include "core/model/run_state.h"

#include <optional>
#include <string_view>

namespace tilewright {

struct ReplyLength {
    double tokens = 0; ///< written for one, thoughts included: the mean
    std::int64_t replies = 0; ///< that it stands on

    bool operator==(const ReplyLength&) const = default;
};

/// Of whole replies whose tokens the server told; none where there is none.
std::optional<ReplyLength> replyLengthOf(const RunState& run, std::string_view templateName);

} // namespace tilewright
