// SPDX-License-Identifier: GPL-3.0-or-later
// What a person wants to have asked next: so many edits of one parent, one edit that tries an idea of theirs, one
// request whose prompt is written their way, or a judge's word on an edit.
#pragma once

#include "core/base/hash.h"
#include "core/base/ids.h"
#include "core/base/result.h"

#include <string>

namespace tilewright {

using WishId = Id<struct WishTag>;

/// How the prompt of a wish is written, where that is not left to the strategy.
struct WishedPrompt {
    std::string templateName; ///< "exploit", "translate", "judge" …; "" for the strategy's choice
    IslandId island; ///< whose templates and hints, and where the edit will live; none: the parent's
    CandidateId other; ///< second parent; none but for a crossover
    std::string changed; ///< template or part that has another text for this one prompt; "" for none
    Hash text; ///< blob of that text

    bool operator==(const WishedPrompt&) const = default;
    explicit operator bool() const { return !templateName.empty(); }
};

struct Wish {
    WishId id;
    CandidateId parent; ///< or the candidate to be judged
    int count = 1; ///< requests that are wanted
    std::string idea; ///< what the prompt of each says besides; "" for nothing
    int granted = 0; ///< requests that were made
    bool withdrawn = false;
    WishedPrompt prompt = {};
    std::int64_t seq = 0; ///< of the event that brought it

    bool operator==(const Wish&) const = default;
    bool isOpen() const { return !withdrawn && granted < count; }
    /// It asks for a word on an edit, not for one.
    bool isForJudge() const { return prompt.templateName == "judge"; }
};

struct RunState;
struct LogLine;

namespace events {
/// From here on the next requests are these, in the order of the wishes.
struct Wished {
    Wish wish; ///< nothing granted
    bool operator==(const Wished&) const = default;
};
/// What is left of it is not asked for any more.
struct WishWithdrawn {
    WishId id;
    bool operator==(const WishWithdrawn&) const = default;
};
} // namespace events

/// The wish of this id; null for an unknown one.
const Wish* wishOf(const RunState& state, WishId id);
/// The oldest open wish for an edit whose parent is not banned; null if there is none.
const Wish* nextWish(const RunState& state);

/// What apply() in run_state.h does for each, and what the log says of it; errors as there.
Result<LogLine> applyWish(RunState& state, const events::Wished& event);
Result<LogLine> applyWish(RunState& state, const events::WishWithdrawn& event);
/// One request was made for it; nothing for id 0. Errors: event/unknown-id.
Result<void> grantWish(RunState& state, WishId id);
/// The request came to nothing for no fault of the parent: it is made again. As grantWish().
Result<void> returnWish(RunState& state, WishId id);

} // namespace tilewright
