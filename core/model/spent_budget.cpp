// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/spent_budget.h"

#include "core/base/format.h"
#include "core/base/text.h"

#include <algorithm>

namespace tilewright {

Spent spentBy(const RunState& run, std::int64_t runNs)
{
    return {run.evaluationsStarted, runNs, run.tokensSpent, run.costMicroUsd, run.evaluationsSinceGain(),
        repliesSpent(run)};
}

std::int64_t repliesSpent(const RunState& run)
{
    return std::ranges::count_if(run.modelRequests, [](const ModelRequest& request) {
        const bool counts = request.state == ModelRequestState::Complete || request.state == ModelRequestState::Open;
        return counts && !request.unwanted && !request.asksForSummary() && !request.asksForJudgement();
    });
}

std::string spentAlready(const Spent& spent, const Budget& budget)
{
    const std::string ends = ": the run ends at once";
    if (budget.evaluations > 0 && spent.evaluations >= budget.evaluations)
        return counted(spent.evaluations, "evaluation has", "evaluations have")
            + " already started: the run ends once they are finished";
    if (budget.wallSeconds > 0 && static_cast<double>(spent.runNs) * 1e-9 >= budget.wallSeconds)
        return "the run has already taken " + std::to_string(spent.runNs / 1'000'000'000) + " s" + ends;
    if (budget.tokens > 0 && spent.tokens >= budget.tokens)
        return counted(spent.tokens, "token is", "tokens are") + " already used: no further requests are sent";
    if (budget.costMicroUsd > 0 && spent.costMicroUsd >= budget.costMicroUsd)
        return "$" + fixedText(static_cast<double>(spent.costMicroUsd) / 1e6, 2)
            + " are already used: no further requests are sent";
    if (budget.noGain > 0 && spent.sinceGain >= budget.noGain)
        return "no improvement in " + counted(spent.sinceGain, "evaluation", "evaluations") + " already" + ends;
    if (budget.replies > 0 && spent.replies >= budget.replies)
        return counted(spent.replies, "reply was", "replies were") + " already requested: no more are requested";
    return "";
}

} // namespace tilewright
