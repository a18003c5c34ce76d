// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/requests/steering_progress.h"

namespace tilewright {

SteeringProgress progressOf(const RunState& state, const SteeringRequest& steering)
{
    SteeringProgress progress;
    const ModelRequest* asked = nullptr;
    for (std::size_t i = state.modelRequests.size(); i > 0 && !asked; --i)
        if (state.modelRequests[i - 1].steering == steering.id)
            asked = &state.modelRequests[i - 1];
    const Proposal* proposal = nullptr;
    for (std::size_t i = state.proposals.size(); i > 0 && !progress.made; --i) {
        const Proposal& each = state.proposals[i - 1];
        if (each.steering != steering.id)
            continue;
        if (!proposal)
            proposal = &each;
        for (std::size_t k = state.candidates.size(); k > 0 && each.state == ProposalState::Accepted; --k)
            if (state.candidates[k - 1].proposal == each.id && !state.candidates[k - 1].migrated)
                progress.made = state.candidates[k - 1].id;
    }
    progress.asked = asked ? asked->id : ModelRequestId{};
    const std::string whom = !asked || asked->model.empty() ? "" : " to " + asked->model;
    if (steering.withdrawn && steering.granted == 0)
        progress.words = "undone";
    else if (progress.made)
        progress.words = candidateName(progress.made) + " is the result";
    else if (asked && asked->state == ModelRequestState::Open)
        progress.words = "sent" + whom + ", waiting for the reply";
    else if (steering.isOpen())
        progress.words = "waiting to be sent";
    else if (asked && asked->state != ModelRequestState::Complete)
        progress.words = "sent" + whom + ", but no reply came: "
            + (asked->answer.detail.empty() ? progress.rule = asked->answer.rule : asked->answer.detail);
    else if (proposal && proposal->state == ProposalState::Duplicate)
        progress.words = "the reply is the program of " + proposal->detail;
    else if (proposal && proposal->state == ProposalState::Refused)
        progress.words = "the reply was refused: " + (progress.rule = proposal->rule);
    else
        progress.words = "sent" + whom;
    return progress;
}

} // namespace tilewright
