// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/written_prompts.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/prompt/insights.h"
#include "core/prompt/prompt.h"

#include <algorithm>
#include <limits>
#include <set>

namespace tilewright {
namespace {

/// Proposals that a prompt to explore asks for in one reply.
constexpr int exploredDirections = 3;

/// The templates that hold for all islands, and for those that have some of their own.
struct Writers {
    PromptWriter common;
    std::map<std::string, PromptWriter> ofIslands; ///< by letter

    const PromptWriter& forIsland(IslandId island) const
    {
        const auto own = ofIslands.find(islandLetter(island));
        return own == ofIslands.end() ? common : own->second;
    }
};

Result<Writers> loadedWriters()
{
    auto common = PromptWriter::load(promptFolders());
    if (!common)
        return std::unexpected(common.error());
    Writers writers{std::move(*common), {}};
    for (const std::string& island : islandsWithPrompts()) {
        auto own = PromptWriter::load(promptFolders(island));
        if (!own)
            return std::unexpected(own.error());
        writers.ofIslands.emplace(island, std::move(*own));
    }
    return writers;
}

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

Result<PromptText> written(const PromptWriter& writer, PromptRequest request, const PromptRoom& room)
{
    request.tokenBudget = static_cast<int>(std::min<std::int64_t>(room.tokens, std::numeric_limits<int>::max()));
    request.tokensPerByte = room.rate();
    auto prompt = writer.render(request);
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

Result<PromptSources> writtenPrompts()
{
    auto loaded = loadedWriters();
    if (!loaded)
        return std::unexpected(loaded.error());
    const auto writers = std::make_shared<const Writers>(std::move(*loaded));
    PromptSources sources;
    sources.proposals = [writers](const ProposalRequest& request, const std::optional<FailedReply>& failed,
                            const ProposerView& view, const PromptRoom& room) {
        PromptRequest wanted{view, request};
        wanted.directions = request.focus == Focus::Explore && request.idea.empty() ? exploredDirections : 1;
        if (failed)
            wanted.repair = RepairTurn{
                failed->reply, failed->rule, failed->repairPrompt, failed->attempt, failed->inConversation};
        wanted.hints = hintsFor(view.state, request.island);
        if (!request.idea.empty())
            wanted.hints.push_back("Try this idea now, in this edit: " + request.idea);
        wanted.insights = memoryOf(view);
        return written(writers->forIsland(request.island), std::move(wanted), room);
    };
    sources.summary = [writers](const ProposerView& view, const PromptRoom& room) {
        PromptRequest wanted{view, {IslandId{1}, 0, Focus::Explore, {view.state.incumbent}}};
        wanted.hints = hintsFor(view.state, {});
        if (const InsightNote* person = view.state.personsInsight())
            wanted.hints.push_back(view.text(person->text));
        // The statistics themselves, not what an earlier summary made of them.
        wanted.insights = insightText(view.state, view.pack.moves);
        wanted.templateName = "summary";
        return written(writers->common, std::move(wanted), room);
    };
    return sources;
}

} // namespace tilewright
