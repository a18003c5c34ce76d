// SPDX-License-Identifier: GPL-3.0-or-later
// A recorded session that is shipped, in memory, as the ground on which prompts are rendered in tests.
#pragma once

#include "core/prompt/prompt.h"

namespace tilewright::testing {

struct ShippedSession {
    RunState state;
    TaskPack pack;
    std::map<Hash, std::string> texts;

    /// `name`: of the file in resources/demo. With the first events of its run only, where `share` of them is below 1.
    explicit ShippedSession(const std::string& name = "gemm-cpu", double share = 1);
    ProposerView view() const;
    /// Records one more event.
    void add(EventBody body);
    /// A child of the best program that failed with this rule, text and build log; returns its id.
    CandidateId addFailure(Outcome outcome, const std::string& rule, const std::string& text, const std::string& log);
    /// The best of one island, and its best of another cell that has other moves.
    std::vector<CandidateId> couple() const;
};

/// The templates of the source tree.
PromptWriter shippedWriter();
/// Request of this focus or template over the session's best program; insights as the statistics tell them.
RenderedPrompt rendered(
    const PromptWriter& writer, const ShippedSession& session, const std::string& templateName, int tokenBudget = 0);
/// What rendered() asks.
PromptRequest requestFor(const ProposerView& view, const ShippedSession& session, const std::string& templateName);

} // namespace tilewright::testing
