// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/requests/steering_request.h"

#include "core/model/reviews/editing.h"

#include <algorithm>

namespace tilewright {
namespace {

std::unexpected<Error> unknown(SteeringRequestId id)
{
    return fail("event/unknown-id", "an event names the unknown steering request " + std::to_string(id.value));
}

std::string steeringRequestWords(const SteeringRequest& steering)
{
    const std::string parent = candidateName(steering.parent);
    if (steering.isForJudge())
        return "a judgement of " + parent;
    if (steering.prompt)
        return "the prompt '" + steering.prompt.templateName + "' about " + parent
            + (steering.prompt.text.isNull() ? "" : ", with a text of '" + steering.prompt.changed + "' used once");
    if (!steering.idea.empty())
        return "an idea for " + parent + ": " + steering.idea;
    return steering.count == 1 ? "an edit of " + parent : std::to_string(steering.count) + " edits of " + parent;
}

} // namespace

const SteeringRequest* steeringRequestOf(const RunState& state, SteeringRequestId id)
{
    const bool known = id.value >= 1 && static_cast<std::size_t>(id.value) <= state.steeringRequests.size();
    return known ? &state.steeringRequests[static_cast<std::size_t>(id.value - 1)] : nullptr;
}

const SteeringRequest* nextSteeringRequest(const RunState& state)
{
    const auto next = std::ranges::find_if(state.steeringRequests, [&](const SteeringRequest& steering) {
        return steering.isOpen() && !steering.isForJudge() && !isBanned(state, steering.parent);
    });
    return next == state.steeringRequests.end() ? nullptr : &*next;
}

Result<LogLine> applySteeringRequest(RunState& state, const events::SteeringRequested& e)
{
    if (e.steering.id.value != static_cast<std::int64_t>(state.steeringRequests.size()) + 1)
        return unknown(e.steering.id);
    if (!state.candidate(e.steering.parent))
        return fail("event/unknown-id",
            "a steering request names the unknown candidate " + std::to_string(e.steering.parent.value));
    state.steeringRequests.push_back(e.steering);
    state.steeringRequests.back().seq = seqOfEvent(state);
    return LogLine{0, "", "info", e.steering.parent, "requested: " + steeringRequestWords(e.steering)};
}

Result<LogLine> applySteeringRequest(RunState& state, const events::SteeringRequestCancelled& e)
{
    SteeringRequest* steering = edit(state, e.id);
    if (!steering || !steering->isOpen())
        return steering ? fail("event/order", "a steering request is cancelled that is not open") : unknown(e.id);
    steering->withdrawn = true;
    return LogLine{0, "", "info", steering->parent,
        "request cancelled: " + steeringRequestWords(*steering)
            + (steering->granted ? ", " + std::to_string(steering->granted) + " came" : "")};
}

Result<void> grantSteeringRequest(RunState& state, SteeringRequestId id)
{
    if (!id)
        return {};
    SteeringRequest* steering = edit(state, id);
    if (!steering)
        return unknown(id);
    ++steering->granted;
    return {};
}

Result<void> returnSteeringRequest(RunState& state, SteeringRequestId id)
{
    if (!id)
        return {};
    SteeringRequest* steering = edit(state, id);
    if (!steering)
        return unknown(id);
    steering->granted = std::max(steering->granted - 1, 0);
    return {};
}

} // namespace tilewright
