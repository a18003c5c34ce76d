// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/replies/prompt_workshop.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/model/islands/living_islands.h"
#include "core/prompt/insights.h"
#include "core/prompt/request_text.h"
#include "core/prompt/template_shelf.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

namespace tilewright {
namespace {

/// What a template is shown by: itself, or the first that it is a part of.
std::string shownBy(const TemplateFiles& files, const std::string& name)
{
    constexpr std::array<const char*, 8> asked{
        "exploit", "explore", "crossover", "repair", "rewrite", "translate", "summary", "judge"};
    if (std::ranges::find(asked, name) != asked.end())
        return name;
    for (const char* whole : asked)
        if (const auto file = files.find(whole); file != files.end())
            if (file->second.text.find("{{> " + name + "}}") != std::string::npos)
                return whole;
    return "exploit"; // the system text comes with all of them
}

Focus focusOf(const std::string& templateName)
{
    for (const Focus focus : {Focus::Explore, Focus::Exploit, Focus::Crossover, Focus::Repair, Focus::Rewrite})
        if (templateOf(focus) == templateName)
            return focus;
    return Focus::Exploit;
}

/// The parents that a prompt of this kind is shown for, the requested one first. Errors: prompt/request.
Result<std::vector<CandidateId>> parentsFor(
    const RunState& state, const std::string& templateName, CandidateId requested)
{
    const Candidate* chosen = state.candidate(requested ? requested : state.incumbent);
    if (!chosen)
        return fail("prompt/request", "the run has no candidate yet for a prompt");
    if (templateName == "repair" && !isDefective(*chosen)) {
        // Candidates are looked at from the newest one.
        for (std::size_t i = state.candidates.size(); i-- > 0;)
            if (isDefective(state.candidates[i]))
                return std::vector{state.candidates[i].id};
        return fail("prompt/request", "no candidate of this run has failed so far: there is nothing to repair");
    }
    std::vector<CandidateId> parents{chosen->id};
    if (templateName == "crossover") {
        const Candidate* other = nullptr;
        for (const Candidate& candidate : state.candidates)
            if (candidate.program != chosen->program && candidate.isRanked()
                && (!other || candidate.score->value > other->score->value))
                other = &candidate;
        if (!other)
            return fail("prompt/request", "a crossover needs two programs, and this run has measured one");
        parents.push_back(other->id);
    }
    return parents;
}

std::string namesOf(const TemplateFiles& files)
{
    std::vector<std::string> names;
    for (const auto& [name, file] : files)
        names.push_back(name);
    return joined(names, ", ");
}

/// The prompt's tokens by what they are spent on; the parts add up to the whole.
std::vector<std::pair<std::string, int>> partsOf(const RenderedPrompt& prompt)
{
    std::size_t own = prompt.user.size();
    std::vector<std::pair<std::string, std::size_t>> values;
    for (const FilledSpan& span : prompt.userSpans) {
        own -= std::min(own, span.size);
        const auto found = std::ranges::find(values, span.placeholder, [](const auto& value) { return value.first; });
        if (found == values.end())
            values.emplace_back(span.placeholder, span.size);
        else
            found->second += span.size;
    }
    values.insert(values.begin(), {{"system", prompt.system.size()}, {"template", own}});
    std::size_t all = 0, until = 0;
    for (const auto& [name, bytes] : values)
        all += bytes;
    // Each part ends where its bytes end, rounded there: rounding every part by itself would not add up.
    const auto tokensUntil = [&](std::size_t bytes) {
        const double share = all ? static_cast<double>(bytes) / static_cast<double>(all) : 0;
        return static_cast<int>(std::lround(share * prompt.estimatedTokens));
    };
    std::vector<std::pair<std::string, int>> parts;
    for (const auto& [name, bytes] : values) {
        parts.emplace_back(name, tokensUntil(until + bytes) - tokensUntil(until));
        until += bytes;
    }
    return parts;
}

} // namespace

Result<PromptWorkshop> PromptWorkshop::open()
{
    auto shelf = TemplateShelf::load();
    if (!shelf)
        return std::unexpected(shelf.error());
    return PromptWorkshop(std::move(*shelf));
}

Result<PromptWriter> PromptWorkshop::writerWith(const ProposerView& view, const PromptDraft& draft) const
{
    TemplateFiles files = m_shelf.filesFor(view.state, draft.island, view.text);
    if (!files.contains(draft.name))
        return fail(
            "prompt/template", "there is no template '" + draft.name + "'", "known templates: " + namesOf(files));
    if (draft.text)
        files[draft.name] = {withUnixLineEnds(*draft.text), draft.name};
    if (trimmed(files[draft.name].text).empty())
        return fail(
            "prompt/blank", "the template contains no text", "delete the saved version to use the inherited text");
    return PromptWriter::of(files);
}

Result<void> PromptWorkshop::check(const ProposerView& view, const PromptDraft& draft) const
{
    const std::string text = draft.text.value_or("");
    if (text.size() > largestTemplate)
        return fail("prompt/file",
            "the template has " + std::to_string(text.size()) + " bytes, at most " + std::to_string(largestTemplate)
                + " are allowed",
            "shorten it");
    if (const auto checked = checkText(text, "the template"); !checked)
        return fail("prompt/file", checked.error().text, checked.error().hint, checked.error().evidence);
    // What holds for all islands has to do for those with texts of their own, too.
    std::vector<IslandId> theirs = draft.island ? std::vector<IslandId>() : livingIslands(view.state);
    theirs.insert(theirs.begin(), draft.island);
    for (const IslandId island : theirs) {
        PromptDraft there = draft;
        there.island = island;
        const bool hidden = island != draft.island
            && m_shelf.filesFor(view.state, island, view.text)[draft.name]
                != m_shelf.filesFor(view.state, draft.island, view.text)[draft.name];
        if (hidden)
            continue;
        if (const auto writer = writerWith(view, there); !writer)
            return std::unexpected(writer.error());
    }
    return {};
}

Result<SteeringRequest> PromptWorkshop::once(
    const ProposerView& view, const PromptDraft& draft, const PromptRoom& room) const
{
    const PromptPreview shown = preview(view, draft, room);
    if (shown.error)
        return std::unexpected(*shown.error);
    if (shown.shownBy == "summary")
        return fail("prompt/no-edit", "a summary requests no edit, so it cannot be sent for a candidate",
            "the run requests one every 25 evaluations");
    SteeringRequest steering;
    steering.parent = shown.parents.front();
    steering.prompt.templateName = shown.shownBy;
    steering.prompt.island = shown.island;
    if (shown.parents.size() > 1)
        steering.prompt.other = shown.parents[1];
    steering.prompt.changed = draft.name;
    return steering;
}

PromptPreview PromptWorkshop::preview(const ProposerView& view, const PromptDraft& draft, const PromptRoom& room) const
{
    PromptPreview preview;
    preview.room = room;
    const auto refuse = [&preview](Error error) {
        preview.error = std::move(error);
        return preview;
    };
    const TemplateFiles files = m_shelf.filesFor(view.state, draft.island, view.text);
    if (const auto standing = files.find(draft.name); standing != files.end()) {
        preview.standing = standing->second.text;
        preview.below = m_shelf.textBelow(view.state, draft.island, draft.name, view.text);
    }
    const auto writer = writerWith(view, draft);
    if (!writer)
        return refuse(writer.error());
    preview.shownBy = shownBy(files, draft.name);
    const auto parents = parentsFor(view.state, preview.shownBy, draft.parent);
    if (!parents)
        return refuse(parents.error());
    preview.parents = *parents;
    preview.island = draft.island ? draft.island : view.state.candidate(parents->front())->island;
    PromptRequest request = promptRequestFor(view, {preview.island, 0, focusOf(preview.shownBy), *parents});
    request.templateName = preview.shownBy;
    request.tokenBudget = static_cast<int>(std::min<std::int64_t>(room.tokens, std::numeric_limits<int>::max()));
    request.tokensPerByte = room.rate();
    auto prompt = writer->render(request);
    if (!prompt)
        return refuse(prompt.error());
    preview.prompt = std::move(*prompt);
    preview.parts = partsOf(preview.prompt);
    return preview;
}

namespace {

/// Proposals that a prompt asks for in one reply: the program and the facts are paid for once for all of them.
int directionsOf(Focus focus, int asked)
{
    constexpr int usual = 3;
    const bool isOne = focus == Focus::Repair || focus == Focus::Rewrite;
    return isOne ? 1 : asked > 0 ? asked : usual;
}

/// TemplateWriters over the shelf, each kept until somebody saves a template.
class TemplateWriters
{
public:
    explicit TemplateWriters(TemplateShelf shelf)
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
    Result<PromptWriter> withChanged(const ProposerView& view, IslandId island, const SteeringPrompt& prompt) const
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

/// The run's memory: a user's words, then the newest summary; before the first one, the figures as they stand.
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

Result<PromptText> written(TemplateWriters& writers, IslandId island, PromptRequest request, const PromptRoom& room)
{
    request.tokenBudget = static_cast<int>(std::min<std::int64_t>(room.tokens, std::numeric_limits<int>::max()));
    request.tokensPerByte = room.rate();
    const SteeringPrompt& requested = request.request.prompt;
    const bool isChanged = requested && !requested.text.isNull() && !request.repair;
    Result<RenderedPrompt> prompt = std::unexpected(Error{});
    if (isChanged) {
        const auto writer = writers.withChanged(request.view, island, requested);
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
        error.hint
            = "in the models file, lower its max_output_tokens, correct its context_tokens, or set its weight to 0";
    }
    return std::unexpected(std::move(error));
}

} // namespace

PromptRequest promptRequestFor(
    const ProposerView& view, const ProposalRequest& request, const std::optional<FailedReply>& failed)
{
    PromptRequest wanted{view, request};
    wanted.directions = request.idea.empty() ? directionsOf(request.focus, view.state.settings.edits) : 1;
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
    const auto writers = std::make_shared<TemplateWriters>(std::move(*shelf));
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
        wanted.insights = insightText(view.state, view.pack.moves, InsightDetail::Whole);
        wanted.templateName = "summary";
        return written(*writers, {}, std::move(wanted), room);
    };
    return sources;
}

} // namespace tilewright
