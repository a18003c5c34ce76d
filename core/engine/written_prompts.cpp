// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/written_prompts.h"

#include "core/prompt/insights.h"
#include "core/prompt/prompt.h"

namespace tilewright {
namespace {

/// Proposals that a prompt to explore asks for in one reply.
constexpr int exploredDirections = 3;
/// Until an answer tells how its model counts.
constexpr double tokensPerByte = 0.3;

/// The run's memory: a person's words, then the newest summary; before the first one, the figures as they stand.
std::string memoryOf(const ProposerView& view)
{
    std::string text;
    if (const InsightNote* person = view.state.personsInsight())
        text = view.text(person->text) + "\n";
    const InsightNote* newest = view.state.newestInsight();
    return text + (newest ? view.text(newest->text) : insightText(view.state));
}

PromptText textOf(RenderedPrompt prompt)
{
    return {std::move(prompt.templateName), prompt.templateVersion, std::move(prompt.system), std::move(prompt.user)};
}

} // namespace

Result<PromptSources> writtenPrompts()
{
    auto loaded = PromptWriter::load(promptFolders());
    if (!loaded)
        return std::unexpected(loaded.error());
    const auto writer = std::make_shared<const PromptWriter>(std::move(*loaded));
    PromptSources sources;
    sources.proposals = [writer](const ProposalRequest& request, const std::optional<FailedReply>& failed,
                            const ProposerView& view) -> Result<PromptText> {
        std::optional<RepairTurn> turn;
        if (failed)
            turn = RepairTurn{
                failed->reply, failed->rule, failed->repairPrompt, failed->attempt, failed->inConversation};
        const int directions = request.focus == Focus::Explore ? exploredDirections : 1;
        const PromptRequest wanted{
            view, request, directions, std::move(turn), {}, memoryOf(view), 0, tokensPerByte, {}};
        auto rendered = writer->render(wanted);
        return rendered ? Result<PromptText>(textOf(std::move(*rendered))) : std::unexpected(rendered.error());
    };
    sources.summary = [writer](const ProposerView& view) -> Result<PromptText> {
        const ProposalRequest about{IslandId{1}, 0, Focus::Explore, {view.state.incumbent}};
        std::vector<std::string> hints;
        if (const InsightNote* person = view.state.personsInsight())
            hints.push_back(view.text(person->text));
        // The statistics themselves, not what an earlier summary made of them.
        const PromptRequest wanted{
            view, about, 1, std::nullopt, std::move(hints), insightText(view.state), 0, tokensPerByte, "summary"};
        auto rendered = writer->render(wanted);
        return rendered ? Result<PromptText>(textOf(std::move(*rendered))) : std::unexpected(rendered.error());
    };
    return sources;
}

} // namespace tilewright
