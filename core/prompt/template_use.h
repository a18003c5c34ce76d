// SPDX-License-Identifier: GPL-3.0-or-later
// How each version of a template did while it was the one that prompts were written with. Pure.
#pragma once

#include "core/prompt/prompt_statistics.h"

namespace tilewright {

struct TemplateUse {
    int version = 0; ///< TemplateVersion::number; 0: what stood there before a person saved one, or took theirs away
    PromptStatistics statistics;

    bool operator==(const TemplateUse&) const = default;
};

/// The texts of a person's that a question was written with, by TemplateVersion::number; 0: none.
struct VersionsOfPrompt {
    int text = 0, system = 0;
    bool isForOnce = false; ///< written with a text for that once, which is no version

    bool operator==(const VersionsOfPrompt&) const = default;
};
VersionsOfPrompt versionsOfPrompt(const RunState& state, const Inquiry& inquiry);

/// One entry for each version of a template of an island (id 0: of all islands without a text of their own) and one for
/// version 0, in order. The system text is part of every prompt; other parts have no figures of their own.
std::vector<TemplateUse> templateUses(const RunState& state, IslandId island, const std::string& name);

} // namespace tilewright
