// SPDX-License-Identifier: GPL-3.0-or-later
// What a person wants to have proposed next: so many edits of one parent, or one edit that tries an idea of theirs.
#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"

#include <nlohmann/json.hpp>
#include <string>

namespace tilewright {

using WishId = Id<struct WishTag>;

struct Wish {
    WishId id;
    CandidateId parent;
    int count = 1; ///< requests that are wanted
    std::string idea; ///< what the prompt of each says besides; "" for nothing
    int granted = 0; ///< requests that were made
    bool withdrawn = false;

    bool operator==(const Wish&) const = default;
    bool isOpen() const { return !withdrawn && granted < count; }
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

nlohmann::json toJson(const Wish& wish);
Wish wishFrom(const nlohmann::json& json);

/// The oldest open wish whose parent is not banned; null if there is none.
const Wish* nextWish(const RunState& state);

/// What apply() in run_state.h does for each, and what the log says of it; errors as there.
Result<LogLine> applyWish(RunState& state, const events::Wished& event);
Result<LogLine> applyWish(RunState& state, const events::WishWithdrawn& event);
/// One request was made for it; nothing for id 0. Errors: event/unknown-id.
Result<void> grantWish(RunState& state, WishId id);
/// The request came to nothing for no fault of the parent: it is made again. As grantWish().
Result<void> returnWish(RunState& state, WishId id);

} // namespace tilewright
