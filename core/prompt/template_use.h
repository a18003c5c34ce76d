// SPDX-License-Identifier: GPL-3.0-or-later
// How each version of a template did while it was the one that prompts were written with. Pure.
#pragma once

#include "core/model/run_state.h"
#include "core/prompt/prompt_statistics.h"

#include <optional>
#include <string_view>

namespace tilewright {

struct TemplateUse {
    int version = 0; ///< TemplateVersion::number; 0: what stood there before a user saved one, or took theirs away
    PromptStatistics statistics;

    bool operator==(const TemplateUse&) const = default;
};

/// The texts of a user's that a question was written with, by TemplateVersion::number; 0: none.
struct VersionsOfPrompt {
    int text = 0, system = 0;
    bool isForOnce = false; ///< written with a text for that once, which is no version

    bool operator==(const VersionsOfPrompt&) const = default;
};
VersionsOfPrompt versionsOfPrompt(const RunState& state, const ModelRequest& modelRequest);

/// One entry for each version of a template of an island (id 0: of all islands without a text of their own) and one for
/// version 0, in order. The system text is part of every prompt; other parts have no figures of their own.
std::vector<TemplateUse> templateUses(const RunState& state, IslandId island, const std::string& name);

// How long the replies to a template's prompts have been in a run. Pure.

struct ReplyLength {
    double tokens = 0; ///< written for one, thoughts included: the mean
    std::int64_t replies = 0; ///< that it stands on

    bool operator==(const ReplyLength&) const = default;
};

/// Of whole replies whose tokens the server told; none where there is none.
std::optional<ReplyLength> replyLengthOf(const RunState& run, std::string_view templateName);

// What a reply to the template `judge` says. Pure.

/// Of the last JSON object with a verdict that the reply holds, whatever stands around it; Unclear where there is none.
/// A candidate that the run does not have, and a ratio that is no positive number, count as not named. ModelRequest and
/// candidate are left to the caller.
Judgement judgementIn(const std::string& reply, const RunState& state);

} // namespace tilewright
