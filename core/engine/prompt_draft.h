// SPDX-License-Identifier: GPL-3.0-or-later
// A template as somebody writes it, and whose prompt is looked at with it.
#pragma once

#include "core/base/ids.h"

#include <optional>
#include <string>

namespace tilewright {

struct PromptDraft {
    IslandId island; ///< 0: for all
    std::string name; ///< of a template: "exploit"
    /// None: the one that holds now; to save none is to take away what was saved.
    std::optional<std::string> text;
    CandidateId parent; ///< whose prompt is shown; none: the best

    bool operator==(const PromptDraft&) const = default;
};

} // namespace tilewright
