// SPDX-License-Identifier: GPL-3.0-or-later
// What a user wants to have asked next: so many edits of one parent, one edit that tries an idea of theirs, one
// request whose prompt is written their way, or a judge's word on an edit.
#pragma once

#include "core/base/hash.h"
#include "core/base/ids.h"
#include "core/base/result.h"

#include <string>

namespace tilewright {

using SteeringRequestId = Id<struct SteeringRequestTag>;

/// How the prompt of a steering request is written, where that is not left to the strategy.
struct SteeringPrompt {
    std::string templateName; ///< "exploit", "translate", "judge" …; "" for the strategy's choice
    IslandId island; ///< whose templates and hints, and where the edit will live; none: the parent's
    CandidateId other; ///< second parent; none but for a crossover
    std::string changed; ///< template or part that has another text for this one prompt; "" for none
    Hash text; ///< blob of that text

    bool operator==(const SteeringPrompt&) const = default;
    explicit operator bool() const { return !templateName.empty(); }
};

struct SteeringRequest {
    SteeringRequestId id;
    CandidateId parent; ///< or the candidate to be judged
    int count = 1; ///< requests that are wanted
    std::string idea; ///< what the prompt of each says besides; "" for nothing
    int granted = 0; ///< requests that were made
    bool withdrawn = false;
    SteeringPrompt prompt = {};
    std::int64_t seq = 0; ///< of the event that brought it

    bool operator==(const SteeringRequest&) const = default;
    bool isOpen() const { return !withdrawn && granted < count; }
    /// It asks for a word on an edit, not for one.
    bool isForJudge() const { return prompt.templateName == "judge"; }
};

struct RunState;
struct LogLine;

namespace events {
/// From here on the next requests are these, in the order of the steering requests.
struct SteeringRequested {
    SteeringRequest steering; ///< nothing granted
    bool operator==(const SteeringRequested&) const = default;
};
/// What is left of it is not asked for any more.
struct SteeringRequestCancelled {
    SteeringRequestId id;
    bool operator==(const SteeringRequestCancelled&) const = default;
};
} // namespace events

/// The steering request of this id; null for an unknown one.
const SteeringRequest* steeringRequestOf(const RunState& state, SteeringRequestId id);
/// The oldest open steering request for an edit whose parent is not banned; null if there is none.
const SteeringRequest* nextSteeringRequest(const RunState& state);

/// What apply() in run_state.h does for each, and what the log says of it; errors as there.
Result<LogLine> applySteeringRequest(RunState& state, const events::SteeringRequested& event);
Result<LogLine> applySteeringRequest(RunState& state, const events::SteeringRequestCancelled& event);
/// One request was made for it; nothing for id 0. Errors: event/unknown-id.
Result<void> grantSteeringRequest(RunState& state, SteeringRequestId id);
/// The request came to nothing for no fault of the parent: it is made again. As grantSteeringRequest().
Result<void> returnSteeringRequest(RunState& state, SteeringRequestId id);

} // namespace tilewright
