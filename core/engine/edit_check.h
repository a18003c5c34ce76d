// SPDX-License-Identifier: GPL-3.0-or-later
// What came of checking a person's text that is to take a candidate's place or to be an edit of it, before anything of
// it is recorded: from the patch on, through the static rules and the compiler. Pure.
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

/// What a person's text becomes: it takes the candidate's place in review, or is an edit of it as any other.
enum class EditAs { Replacement, Child };

/// Refused: it does not apply. Broken: it applies, and does not build. Untried: it applies, and nobody could build it.
enum class EditCheckEnd { Builds, Untried, Broken, Refused };

struct EditCheck {
    EditCheckEnd end = EditCheckEnd::Builds;
    Error why; ///< code empty where it builds; the compiler's first complaint where that is what stopped it
    int line = 0; ///< of the text that `why` is about, 1-based; 0: of no single one
    std::vector<std::string> warnings;

    bool operator==(const EditCheck&) const = default;
    /// It may take the candidate's place, as far as is known.
    bool isGood() const { return end == EditCheckEnd::Builds || end == EditCheckEnd::Untried; }
};

/// The line that a compiler's complaint names, as "candidate.cpp:41:9: error: …" and "candidate.cu(41): error: …" do;
/// 0: none.
int lineOfComplaint(std::string_view complaint);

} // namespace tilewright
