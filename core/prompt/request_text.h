// SPDX-License-Identifier: GPL-3.0-or-later
// What one request puts into a prompt: fixed values, and lists whose last pieces may be left out. Pure.
#pragma once

#include "core/prompt/prompt.h"
#include "core/prompt/prompt_template.h"

namespace tilewright {

/// A list of whole pieces, most important first, under one placeholder.
struct PromptPart {
    std::string placeholder;
    std::string words; ///< for what is said to be left out: "earlier attempts"
    std::vector<std::string> pieces;
    std::size_t all = 0; ///< pieces before any was left out

    std::string text() const;
};

struct RequestText {
    PromptValues values; ///< never trimmed
    std::vector<PromptPart> parts; ///< in the order in which they are given up under a token budget
};

/// It failed in a way that a prompt can ask to mend.
bool isDefective(const Candidate& candidate);

/// Errors: prompt/parent, prompt/request.
Result<RequestText> requestText(const PromptRequest& request, const std::string& templateName);

} // namespace tilewright
