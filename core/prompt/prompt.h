// SPDX-License-Identifier: GPL-3.0-or-later
// What a model is asked: templates from files, filled with what the run has measured. Pure but for load(): the same
// templates, state and request give the same bytes, so a prompt is stored as template version and references. Only what
// a proposer may know gets in: train shapes and their figures, no held-out or sealed one, no path, no host, no key.
// Thread: any, on a copy each.
#pragma once

#include "core/prompt/prompt_template.h"
#include "core/prompt/template_files.h"
#include "core/proposer/proposer.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tilewright {

/// A reply that could not be applied, and what the applier says about it: a Refusal's text, without its evidence.
struct RepairTurn {
    std::string reply; ///< as the model gave it
    std::string rule; ///< "patch/no-match"
    std::string finding; ///< Refusal::repairPrompt; Refusal::finding where the template tells what to send
    int turn = 1; ///< counts the turns spent on this reply
    bool inConversation = false; ///< the model sees its reply above the prompt: it is not quoted again
    ProposalId proposal = {}; ///< that failed: it is not told once more among the failures
};

/// Values and references, valid during the call only.
struct PromptRequest {
    const ProposerView& view; ///< state, pack, texts
    ProposalRequest request; ///< island, ordinal, focus, parents
    int directions = 1; ///< proposals asked for in one reply; 3 to 5 for explore
    std::optional<RepairTurn> repair = {}; ///< for the focus Repair and Rewrite, when a patch failed
    std::vector<std::string> hints = {}; ///< the user's: session, island, candidate
    std::string insights = {}; ///< what the session has learned, see insights.h; may be empty
    int tokenBudget = 0; ///< for system and user text together; 0 = no limit
    double tokensPerByte = 0.3; ///< calibrated by the usage that providers return
    std::string templateName = {}; ///< "summary", "translate", "judge"; empty: the template of the focus
};

struct RenderedPrompt {
    std::string templateName;
    Hash templateVersion; ///< of the system template and this one together
    std::string system, user;
    std::vector<FilledSpan> systemSpans, userSpans; ///< what of them are values
    int estimatedTokens = 0; ///< of both
    std::vector<std::string> trimmed; ///< what the token budget left out, in words: "2 of 3 inspirations"

    bool operator==(const RenderedPrompt&) const = default;
};

/// The templates of a set of folders. prompts/README.md documents files, placeholders and sections.
class PromptWriter
{
public:
    /// Reads every *.md template of the folders; a file of a later folder replaces one of the same name. A folder that
    /// does not exist holds none. Errors: prompt/missing (a template without a file), prompt/placeholder and
    /// prompt/section with path and line.
    static Result<PromptWriter> load(const std::vector<std::filesystem::path>& folders);
    /// The same of texts that are there.
    static Result<PromptWriter> of(const TemplateFiles& files);

    /// Errors: prompt/parent when the parent's text is gone, prompt/template for an unknown name, prompt/request when
    /// the focus lacks what it needs, prompt/budget when what can never be left out is larger than the budget.
    Result<RenderedPrompt> render(const PromptRequest& request) const;

    /// Of the template with the system text, as a rendering reports it; null for an unknown name.
    Hash versionOf(const std::string& templateName) const;

private:
    std::map<std::string, std::string> m_templates; ///< name without .md → text
};

/// Where templates stand: prompts/ of the installation, then the user's own in the data folder, then those for one
/// island, by its letter, in a folder of the user's own ones.
std::vector<std::filesystem::path> promptFolders(const std::string& island = {});
/// Letters of the islands that the user has a folder of templates for.
std::vector<std::string> islandsWithPrompts();
/// "explore" for Focus::Explore; a tuner's request has none and is asked as exploit.
std::string templateOf(Focus focus);

} // namespace tilewright
