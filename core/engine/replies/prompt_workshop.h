// SPDX-License-Identifier: GPL-3.0-or-later
// A template as somebody writes it: whether it would do, and the prompt that it makes for a candidate. Nothing is
// recorded and nobody is asked here. Thread: the engine's.
#pragma once

#include "core/engine/command.h"
#include "core/engine/replies/model_request_queue.h"
#include "core/prompt/prompt.h"
#include "core/prompt/template_shelf.h"
#include "core/proposer/reply_source.h"

namespace tilewright {

struct PromptPreview {
    std::string standing; ///< the template's text that holds now
    std::string below; ///< the one that would hold without what was saved in the run for just this island
    RenderedPrompt prompt;
    PromptRoom room; ///< for prompts of this island
    /// Estimated tokens: the system text, the template's own words ("template"), then each placeholder of the prompt in
    /// its order; one without a value has 0.
    std::vector<std::pair<std::string, int>> parts;
    std::string shownBy; ///< the template that the prompt is of; another than the draft's where that is a part
    std::vector<CandidateId> parents; ///< that it is about
    IslandId island; ///< whose it is
    /// Why there is no prompt; evidence has "line" and "file" where it stands in a template.
    std::optional<Error> error;
};

class PromptWorkshop
{
public:
    /// Errors: of TemplateShelf::load.
    static Result<PromptWorkshop> open();

    const TemplateShelf& shelf() const { return m_shelf; }
    /// Whether the draft may be saved. Errors: prompt/template for a name there is not, prompt/placeholder,
    /// prompt/section, prompt/missing.
    Result<void> check(const ProposerView& view, const PromptDraft& draft) const;
    /// The request that puts the previewed prompt once, as a steering request. The draft's text is left to the caller:
    /// `text` of the prompt stays null. Errors: as a preview's, and prompt/no-edit for a template that asks for no
    /// edit.
    Result<SteeringRequest> once(const ProposerView& view, const PromptDraft& draft, const PromptRoom& room) const;
    PromptPreview preview(const ProposerView& view, const PromptDraft& draft, const PromptRoom& room) const;

private:
    explicit PromptWorkshop(TemplateShelf shelf)
        : m_shelf(std::move(shelf))
    {
    }
    /// The writer with the draft in place, for an island that it holds for.
    Result<PromptWriter> writerWith(const ProposerView& view, const PromptDraft& draft) const;

    TemplateShelf m_shelf;
};

// The prompts of a run, written from the templates of the installation and the user's own.

/// What a prompt of a proposal is written from: with the user's hints, the run's memory, and the reply that failed.
PromptRequest promptRequestFor(
    const ProposerView& view, const ProposalRequest& request, const std::optional<FailedReply>& failed = {});

/// Reads the templates of the folders once; those saved in the run hold from the next prompt on. Errors:
/// prompt/missing, prompt/placeholder, prompt/section.
Result<PromptSources> writtenPrompts();

} // namespace tilewright
