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

} // namespace

Result<PromptSource> writtenPrompts()
{
    auto loaded = PromptWriter::load(promptFolders());
    if (!loaded)
        return std::unexpected(loaded.error());
    const auto writer = std::make_shared<const PromptWriter>(std::move(*loaded));
    return [writer](const ProposalRequest& request, const std::optional<FailedReply>& failed,
               const ProposerView& view) -> Result<PromptText> {
        std::optional<RepairTurn> turn;
        if (failed)
            turn = RepairTurn{failed->reply, failed->rule, failed->repairPrompt, failed->attempt};
        const int directions = request.focus == Focus::Explore ? exploredDirections : 1;
        const PromptRequest wanted{
            view, request, directions, std::move(turn), {}, insightText(view.state), 0, tokensPerByte, {}};
        auto rendered = writer->render(wanted);
        if (!rendered)
            return std::unexpected(rendered.error());
        return PromptText{std::move(rendered->templateName), rendered->templateVersion, std::move(rendered->system),
            std::move(rendered->user)};
    };
}

} // namespace tilewright
