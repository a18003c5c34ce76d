// SPDX-License-Identifier: GPL-3.0-or-later
// The prompts of a run, written from the templates of the installation and the person's own.
#pragma once

#include "core/engine/correspondence.h"
#include "core/prompt/prompt.h"

namespace tilewright {

/// What a prompt of a proposal is written from: with the person's hints, the run's memory, and the reply that failed.
PromptRequest promptRequestFor(
    const ProposerView& view, const ProposalRequest& request, const std::optional<FailedReply>& failed = {});

/// Reads the templates of the folders once; those saved in the run hold from the next prompt on. Errors:
/// prompt/missing, prompt/placeholder, prompt/section.
Result<PromptSources> writtenPrompts();

} // namespace tilewright
