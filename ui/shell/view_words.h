// SPDX-License-Identifier: GPL-3.0-or-later
// What the screen that is seen holds, in a few words for the status bar: "412 candidates, 37 match". GUI thread.
#pragma once

#include "ui/prompts/template_key.h"
#include "ui/shell/mode.h"

#include <QString>
#include <optional>

namespace tilewright {
struct RunState;
}

namespace tilewright::ui {

struct ViewedParts {
    Mode mode = Mode::Welcome;
    int candidates = 0, matching = 0; ///< of the candidate table: all, and those that fit what a person looks for
    bool filters = false; ///< they look for something
    CandidateId reviewed; ///< that is read in Review
    TemplateKey prompt; ///< that is open in Prompts
    std::optional<std::size_t> openPrompts; ///< how many wait there for a reply, where those are read instead
};

/// Empty where the screen is of no session.
QString viewWords(const RunState& run, const ViewedParts& parts);

} // namespace tilewright::ui
