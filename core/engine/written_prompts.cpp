// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/written_prompts.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/prompt/insights.h"
#include "core/prompt/template_shelf.h"

#include <algorithm>
#include <limits>
#include <set>

namespace tilewright {
namespace {

/// Proposals that a prompt to explore asks for in one reply.
constexpr int exploredDirections = 3;

/// Writers over the shelf, each kept until somebody saves a template.
class Writers
{
public:
    explicit Writers(TemplateShelf shelf)
        : m_shelf(std::move(shelf))
    {
    }

    /// Errors: of a template that a file has broken since it was saved.
    Result<const PromptWriter*> forIsland(const ProposerView& view, IslandId island)
    {
        Kept& kept = m_kept[island];
        if (!kept.writer || kept.saved != view.state.templates.size()) {
            auto writer = PromptWriter::of(m_shelf.filesFor(view.state, island, view.text));
            if (!writer)
                return std::unexpected(writer.error());
            kept = {view.state.templates.size(), std::move(*writer)};
        }
        return &*kept.writer;
    }

    /// With another text of one template or part, for one prompt.
    Result<PromptWriter> withChanged(const ProposerView& view, IslandId island, const WishedPrompt& prompt) const
    {
        TemplateFiles files = m_shelf.filesFor(view.state, island, view.text);
        files[prompt.changed] = {view.text(prompt.text), prompt.changed};
        return PromptWriter::of(files);
    }

private:
    struct Kept {
        std::size_t saved = 0;
        std::optional<PromptWriter> writer;
    };
    TemplateShelf m_shelf;
    std::map<IslandId, Kept> m_kept;
};

/// The run's memory: a person's words, then the newest summary; before the first one, the figures as they stand.
std::string memoryOf(const ProposerView& view)
{
    std::string text;
    if (const InsightNote* person = view.state.personsInsight())
        text = view.text(person->text) + "\n";
    const InsightNote* newest = view.state.newestInsight();
    return text + (newest ? view.text(newest->text) : insightText(view.state, view.pack.moves));
}

/// A line each: what is said to all islands, then what to this one.
std::vector<std::string> hintsFor(const RunState& state, IslandId island)
{
    std::vector<std::string> hints;
    for (const IslandId whose : std::set<IslandId>{IslandId{}, island})
        if (const auto found = state.settings.hints.find(whose); found != state.settings.hints.end())
            for (const std::string_view line : splitLines(found->second))
                if (!trimmed(line).empty())
                    hints.emplace_back(trimmed(line));
    return hints;
}

Result<PromptText> written(Writers& writers, IslandId island, PromptRequest request, const PromptRoom& room)
{
    request.tokenBudget = static_cast<int>(std::min<std::int64_t>(room.tokens, std::numeric_limits<int>::max()));
    request.tokensPerByte = room.rate();
    const WishedPrompt& wished = request.request.prompt;
    const bool isChanged = wished && !wished.text.isNull() && !request.repair;
    Result<RenderedPrompt> prompt = std::unexpected(Error{});
    if (isChanged) {
        const auto writer = writers.withChanged(request.view, island, wished);
        if (!writer)
            return std::unexpected(writer.error());
        prompt = writer->render(request);
    } else {
        const auto writer = writers.forIsland(request.view, island);
        if (!writer)
            return std::unexpected(writer.error());
        prompt = (*writer)->render(request);
    }
    if (prompt)
        return PromptText{std::move(prompt->templateName), prompt->templateVersion, std::move(prompt->system),
            std::move(prompt->user), std::move(prompt->trimmed)};
    Error error = std::move(prompt.error());
    if (error.code == "prompt/budget" && !room.model.empty()) {
        error.text += ": the context of the model '" + room.model + "' less its output limit";
        error.hint = "in the models file, lower its max_output_tokens, correct its context_tokens, or give it the "
                     "weight 0";
    }
    return std::unexpected(std::move(error));
}

} // namespace

PromptRequest promptRequestFor(
    const ProposerView& view, const ProposalRequest& request, const std::optional<FailedReply>& failed)
{
    PromptRequest wanted{view, request};
    wanted.directions = request.focus == Focus::Explore && request.idea.empty() ? exploredDirections : 1;
    if (!failed)
        wanted.templateName = request.prompt.templateName;
    else
        wanted.repair = RepairTurn{
            failed->reply, failed->rule, failed->finding, failed->attempt, failed->inConversation, failed->proposal};
    wanted.hints = hintsFor(view.state, request.island);
    if (!request.idea.empty())
        wanted.hints.push_back("Try this idea now, in this edit: " + request.idea);
    wanted.insights = memoryOf(view);
    return wanted;
}

Result<PromptSources> writtenPrompts()
{
    auto shelf = TemplateShelf::load();
    if (!shelf)
        return std::unexpected(shelf.error());
    const auto writers = std::make_shared<Writers>(std::move(*shelf));
    PromptSources sources;
    sources.proposals = [writers](const ProposalRequest& request, const std::optional<FailedReply>& failed,
                            const ProposerView& view, const PromptRoom& room) {
        PromptRequest wanted = promptRequestFor(view, request, failed);
        return written(*writers, request.island, std::move(wanted), room);
    };
    sources.summary = [writers](const ProposerView& view, const PromptRoom& room) {
        PromptRequest wanted{view, {IslandId{1}, 0, Focus::Explore, {view.state.incumbent}}};
        wanted.hints = hintsFor(view.state, {});
        if (const InsightNote* person = view.state.personsInsight())
            wanted.hints.push_back(view.text(person->text));
        // The statistics themselves, not what an earlier summary made of them.
        wanted.insights = insightText(view.state, view.pack.moves);
        wanted.templateName = "summary";
        return written(*writers, {}, std::move(wanted), room);
    };
    return sources;
}

} // namespace tilewright
