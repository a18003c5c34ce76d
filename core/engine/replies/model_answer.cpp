// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/replies/model_answer.h"
#include "core/patch/proposals.h"

#include <algorithm>
#include <cmath>

namespace tilewright {
namespace {

ModelRequestState stateOf(const ModelReply& reply, const std::string& text)
{
    switch (reply.state) {
    case ReplyState::Complete:
    case ReplyState::Truncated:
        return text.empty() ? ModelRequestState::Failed : ModelRequestState::Complete;
    case ReplyState::Refused:
    case ReplyState::Failed:
        return ModelRequestState::Failed;
    case ReplyState::Incomplete:
    case ReplyState::Cancelled:
        return text.empty() ? ModelRequestState::Failed : ModelRequestState::Incomplete;
    }
    return ModelRequestState::Failed;
}

} // namespace

ModelOutcome outcomeOf(const ModelRequest& modelRequest, double gain, int parts)
{
    ModelOutcome outcome{modelRequest.model, gain, std::nullopt};
    if (modelRequest.answer.costMicroUsd)
        outcome.usd = static_cast<double>(*modelRequest.answer.costMicroUsd) / 1e6 / parts;
    return outcome;
}

std::optional<std::int64_t> microUsd(std::optional<double> usd)
{
    return usd ? std::optional<std::int64_t>(std::llround(*usd * 1e6)) : std::nullopt;
}

Response responseOf(const ModelReply& reply)
{
    Response response;
    ModelRequestAnswer& answer = response.answer;
    if (!reply.answers.empty()) {
        response.text = reply.answers.front().text;
        answer.finish = reply.answers.front().finishWord;
    }
    answer.state = stateOf(reply, response.text);
    answer.model = reply.model;
    answer.tokens = reply.spent();
    if (reply.usageSource == UsageSource::Estimated)
        answer.guessed = reply.usage;
    for (const ModelAttempt& attempt : reply.attempts)
        answer.guessed += attempt.wasted; // thrown away half read: what the server counted for it nobody said
    answer.costMicroUsd = microUsd(reply.usd);
    answer.tries = static_cast<int>(reply.attempts.size());
    answer.untold = reply.untold();
    answer.rule = reply.error.code;
    answer.detail = reply.error.text;
    if (answer.state == ModelRequestState::Failed && answer.rule.empty())
        answer.rule = "llm/empty";
    return response;
}

Response responseAfterLoss(const ModelReply& read, const ModelRequest& modelRequest)
{
    Response response = responseOf(read);
    ModelRequestAnswer& answer = response.answer;
    answer.model = modelRequest.model;
    const int tries
        = std::max(modelRequest.tries, modelRequest.bodies.empty() ? 0 : modelRequest.bodies.back().attempt);
    answer.tries = tries;
    const bool isWhole = read.state == ReplyState::Complete || read.state == ReplyState::Truncated
        || read.state == ReplyState::Refused || read.error.code == "llm/empty";
    // What was read is the last body that came. Nobody told of the tries before it, nor of one that was under way.
    const bool isTold = isWhole && read.usageSource == UsageSource::Reported;
    answer.untold = tries - (isTold ? 1 : 0);
    if (isWhole && tries == 1)
        return response;
    answer.costMicroUsd.reset();
    if (!isWhole) {
        answer.rule = "llm/lost";
        answer.detail = "the program ended while the request was in flight: the usage shown is a lower bound";
    }
    return response;
}

std::string replyOf(Ledger& ledger, const Proposal& proposal)
{
    std::string reply = ledger.text(proposal.reply);
    if (proposal.part < 1)
        return reply;
    std::vector<std::string> parts = proposalsIn(reply);
    const auto at = static_cast<std::size_t>(proposal.part - 1);
    return at < parts.size() ? std::move(parts[at]) : std::string();
}

int proposalsOfReply(const RunState& state, const Proposal& proposal)
{
    int parts = 0; // the newest proposals are the likeliest
    const auto& proposals = state.proposals;
    for (std::size_t i = proposals.size(); i > 0 && proposals[i - 1].id.value >= proposal.id.value - proposal.part; --i)
        parts += proposals[i - 1].modelRequest == proposal.modelRequest ? 1 : 0;
    return std::max(parts, 1);
}

std::string parentTextOf(Ledger& ledger, const Proposal& proposal)
{
    const Candidate* parent = proposal.parents.empty() ? nullptr : ledger.state().candidate(proposal.parents.front());
    return parent ? ledger.text(parent->source) : std::string();
}

std::expected<PatchResult, Refusal> applyProposal(
    const Ledger& ledger, const Proposal& proposal, const std::string& parentText, const std::string& reply)
{
    PatchOptions options;
    options.finishReason = proposal.finish;
    options.prompt = proposal.focus == Focus::Rewrite || proposal.whole ? Prompt::Rewrite : Prompt::Edit;
    return applyReply(parentText, ledger.pack().task.sources.front(), reply, options);
}

} // namespace tilewright
