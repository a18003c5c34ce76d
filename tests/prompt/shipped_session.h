// SPDX-License-Identifier: GPL-3.0-or-later
// The recorded session that is shipped, in memory, as the ground on which prompts are rendered in tests.
#pragma once

#include "core/prompt/prompt.h"

namespace tilewright::testing {

struct ShippedSession {
    RunState state;
    TaskPack pack;
    std::map<Hash, std::string> texts;

    ShippedSession();
    ProposerView view() const;
    /// Records one more event.
    void add(EventBody body);
    /// A child of the best program that failed with this rule, text and build log; returns its id.
    CandidateId addFailure(Outcome outcome, const std::string& rule, const std::string& text, const std::string& log);
    /// The two best elites of one island that live in different cells.
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
