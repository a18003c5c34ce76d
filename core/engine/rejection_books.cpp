// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/rejection_books.h"

#include "core/engine/model_answer.h"
#include "core/engine/reply_part.h"

namespace tilewright {
namespace {

std::optional<ModelOutcome> rejectionOf(const RunState& state, const Candidate& candidate)
{
    const Proposal* proposal = candidate.migrated ? nullptr : state.proposal(candidate.proposal);
    const Inquiry* inquiry = proposal ? state.inquiry(proposal->inquiry) : nullptr;
    if (!inquiry || inquiry->model.empty())
        return std::nullopt;
    return outcomeOf(*inquiry, 0, proposalsOfReply(state, *proposal));
}

events::ArmChanged changed(const EnsembleState& books, const std::string& model)
{
    return {model, books.arms.at(model)};
}

} // namespace

std::optional<events::ArmChanged> rejectionBooked(const RunState& state, const Candidate& candidate)
{
    const auto outcome = rejectionOf(state, candidate);
    return outcome ? std::optional(changed(after({{}, state.arms}, *outcome), outcome->model)) : std::nullopt;
}

std::optional<events::ArmChanged> rejectionTakenBack(const RunState& state, const Candidate& candidate)
{
    const auto outcome = rejectionOf(state, candidate);
    return outcome ? std::optional(changed(without({{}, state.arms}, *outcome), outcome->model)) : std::nullopt;
}

} // namespace tilewright
