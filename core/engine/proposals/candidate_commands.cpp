// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/proposals/candidate_commands.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/engine/proposals/proposing.h"
#include "core/evolve/population.h"
#include "core/model/islands/living_islands.h"
#include "core/model/measurement/shape_choice.h"

#include <algorithm>
#include <array>

namespace tilewright {
namespace {

constexpr int mostRequested = 1000, mostTimesTheSamples = 20;
constexpr std::size_t longestIdea = 20'000;

std::unexpected<Error> outOf(const char* code, const char* what, int most)
{
    return fail(code, std::string(what) + " must be a number from 1 to " + std::to_string(most), "give another number");
}

/// Templates that ask for an edit of a candidate.
constexpr std::array editTemplates{"explore", "exploit", "crossover", "repair", "rewrite", "translate"};

} // namespace

Result<void> CandidateCommands::carryOut(const CandidateCommand& command)
{
    return std::visit([this](const auto& one) { return carryOut(one); }, command);
}

Result<const Candidate*> CandidateCommands::known(CandidateId id) const
{
    if (const Candidate* candidate = state().candidate(id))
        return candidate;
    return fail("candidate/unknown", id ? "there is no candidate " + candidateName(id) : "no candidate given",
        "'tilewright-cli show' lists the candidates");
}

Result<const Island*> CandidateCommands::known(IslandId id) const
{
    if (const Island* island = state().island(id))
        return island;
    const auto islands = static_cast<std::int64_t>(state().islands.size());
    return fail("island/unknown", id ? "the run has no island " + islandLetter(id) : "no island given",
        islands > 0 ? "the islands are A to " + islandLetter({islands}) : "start the run first: it has no islands yet");
}

Result<const Island*> CandidateCommands::living(IslandId id) const
{
    const auto island = known(id);
    const auto lives = island ? livingIsland(state(), id) : Result<void>();
    return lives ? island : std::unexpected(lives.error());
}

Result<void> CandidateCommands::carryOut(const commands::SetMarks& command)
{
    if (const auto candidate = known(command.candidate); !candidate)
        return std::unexpected(candidate.error());
    auto marks = orderly(command.marks);
    if (!marks)
        return std::unexpected(marks.error());
    if (*marks != state().marksOf(command.candidate))
        m_ledger.record(events::Marked{command.candidate, std::move(*marks)});
    return {};
}

Result<void> CandidateCommands::carryOut(const commands::UndoMarks& command)
{
    if (const auto candidate = known(command.candidate); !candidate)
        return std::unexpected(candidate.error());
    if (!state().marks.contains(command.candidate))
        return fail("mark/none", "there is no mark on " + candidateName(command.candidate) + " to undo");
    m_ledger.record(events::MarkUndone{command.candidate});
    return {};
}

Result<void> CandidateCommands::carryOut(const commands::RequestEdits& command)
{
    if (const auto parent = known(command.parent); !parent)
        return std::unexpected(parent.error());
    const std::string name = candidateName(command.parent);
    const std::string idea(trimmed(printable(command.idea)));
    if (command.count < 1 || command.count > mostRequested)
        return outOf("wish/count", "the number of requested edits", mostRequested);
    if (idea.size() > longestIdea)
        return fail("wish/idea", "the idea is too long", "at most " + std::to_string(longestIdea) + " bytes");
    if (isBanned(state(), command.parent))
        return fail("wish/banned", name + " is banned and cannot be a parent", "unban it first");
    if (auto taken = checkTakesSteeringRequests(state().settings.proposer); !taken)
        return taken;
    if (!idea.empty() || command.prompt)
        if (auto taken = checkTakesPrompts(state().settings.proposer); !taken)
            return taken;
    if (command.prompt && std::ranges::find(editTemplates, command.prompt.templateName) == editTemplates.end())
        return fail("prompt/no-edit", "the template '" + command.prompt.templateName + "' does not request an edit");
    if (command.prompt.island)
        if (const auto island = known(command.prompt.island); !island)
            return std::unexpected(island.error());
    steering(command.parent, command.count, idea, command.prompt);
    return {};
}

void CandidateCommands::steering(CandidateId parent, int count, std::string idea, SteeringPrompt prompt)
{
    SteeringRequest made;
    made.id = {static_cast<std::int64_t>(state().steeringRequests.size()) + 1};
    made.parent = parent;
    made.count = count;
    made.idea = std::move(idea);
    made.prompt = std::move(prompt);
    m_ledger.record(events::SteeringRequested{std::move(made)});
}

Result<void> CandidateCommands::carryOut(const commands::SendPrompt& command)
{
    if (auto taken = checkTakesPrompts(state().settings.proposer); !taken)
        return taken;
    if (command.draft.parent)
        if (const auto parent = known(command.draft.parent); !parent)
            return std::unexpected(parent.error());
    auto once = m_prompts.once(command.draft);
    if (!once)
        return std::unexpected(once.error());
    if (command.draft.text)
        once->prompt.text = m_ledger.keepWords(withUnixLineEnds(*command.draft.text));
    return once->isForJudge() ? judged(once->parent, std::move(once->prompt))
                              : carryOut(commands::RequestEdits{once->parent, 1, {}, std::move(once->prompt)});
}

Result<void> CandidateCommands::carryOut(const commands::RequestJudgement& command)
{
    SteeringPrompt prompt;
    prompt.templateName = "judge";
    return judged(command.candidate, std::move(prompt));
}

Result<void> CandidateCommands::judged(CandidateId id, SteeringPrompt prompt)
{
    const auto candidate = known(id);
    if (!candidate)
        return std::unexpected(candidate.error());
    const std::string name = candidateName(id);
    if ((*candidate)->parents.empty() || (*candidate)->patch.isNull())
        return fail("judge/no-edit", name + " is not an edit of another program: there is nothing to judge");
    if (auto judged = checkHasJudge(state().settings.proposer); !judged)
        return judged;
    const JudgementOf now = judgementOf(state(), id);
    if (now.waiting || (now.asked && now.asked->state == ModelRequestState::Open))
        return fail("judge/asked", "a judgement was already requested for " + name + " already", "wait for its reply");
    steering(id, 1, {}, std::move(prompt));
    return m_prompts.askJudges();
}

Result<void> CandidateCommands::carryOut(const commands::CancelRequests& command)
{
    if (const auto parent = known(command.parent); !parent)
        return std::unexpected(parent.error());
    std::vector<SteeringRequestId> open;
    for (const SteeringRequest& steering : state().steeringRequests)
        if (steering.parent == command.parent && steering.isOpen() && (!command.only || steering.id == command.only))
            open.push_back(steering.id);
    if (open.empty())
        return fail("wish/none",
            command.only ? "the request for " + candidateName(command.parent) + " was already sent"
                         : candidateName(command.parent) + " has no open steering request");
    for (const SteeringRequestId id : open)
        m_ledger.record(events::SteeringRequestCancelled{id});
    return {};
}

Result<void> CandidateCommands::carryOut(const commands::Place& command)
{
    const auto candidate = known(command.candidate);
    const auto island = living(command.island);
    if (!candidate || !island)
        return std::unexpected(candidate ? island.error() : candidate.error());
    const std::string name = candidateName(command.candidate), letter = islandLetter(command.island);
    if (!(*candidate)->isRanked() || !(*candidate)->isOver())
        return fail("place/unranked", name + " has no score: only ranked candidates can be on an island");
    if (isBanned(state(), command.candidate))
        return fail("place/banned", name + " is banned", "unban it first");
    if (command.placing == Placing::Move && isPinned(state(), command.candidate))
        return fail("place/pinned", name + " is pinned to island " + islandLetter((*candidate)->island),
            "unpin it first, or copy it");
    for (const CandidateId id : (*island)->members)
        if (state().candidate(id)->program == (*candidate)->program)
            return fail("place/there",
                "the program of " + name + " is already on island " + letter + ", as " + candidateName(id));
    const bool livesAtHome = std::ranges::any_of(state().islands, [&](const Island& home) {
        return home.id == (*candidate)->island
            && std::ranges::find(home.members, command.candidate) != home.members.end();
    });
    if (command.placing == Placing::Move && !livesAtHome)
        return fail("place/gone", name + " is no longer on an island, so it cannot be moved", "copy it instead");
    Candidate copy = **candidate;
    copy.id = m_ledger.nextCandidate();
    copy.island = command.island;
    copy.parents = {command.candidate};
    copy.generation += 1;
    copy.migrated = true;
    copy.evaluationNumber = copy.resultNumber = 0;
    const std::string cell = copy.cell;
    Place place = placeFor(state(), **island, copy.id, fitnessOf(copy), cell, Entry::Stays);
    m_ledger.record(events::Placed{
        command.candidate, std::move(copy), command.placing, cell, place.elite, std::move(place.displaced)});
    return {};
}

Result<void> CandidateCommands::carryOut(const commands::UndoPlacement& command)
{
    if (const auto copy = known(command.copy); !copy)
        return std::unexpected(copy.error());
    const Placement* placement = placementOf(state(), command.copy);
    if (!placement || placement->undone)
        return fail("place/none", candidateName(command.copy) + " was not copied or moved by you",
            "use the name of the copy, not of the original");
    m_ledger.record(events::PlacementUndone{command.copy});
    return {};
}

Result<void> CandidateCommands::carryOut(const commands::Inject& command)
{
    if (state().candidates.empty())
        return fail("inject/early", "the run has no candidate yet that could be the parent of your version",
            "start the run first");
    const auto parent = known(command.parent ? command.parent : CandidateId{1});
    const auto island = living(command.island ? command.island : parent ? (*parent)->island : IslandId{});
    if (!parent || !island)
        return std::unexpected(parent ? island.error() : parent.error());
    if (trimmed(command.text).empty())
        return fail("inject/empty", "the program is empty", "enter the whole source text");
    if (const auto text = checkText(command.text, "the program"); !text)
        return fail("inject/text", text.error().text, text.error().hint, text.error().evidence);
    const auto room = static_cast<std::size_t>(m_ledger.pack().task.limits.sourceBytes);
    if (command.text.size() > room)
        return fail("inject/text",
            "the program has " + std::to_string(command.text.size()) + " bytes, the task allows "
                + std::to_string(room),
            "the limit is limits.source_bytes in its task.json");
    const auto made = m_intake.inject((*parent)->id, (*island)->id, command.text, command.why);
    return made ? Result<void>() : std::unexpected(made.error());
}

Result<void> CandidateCommands::carryOut(const commands::Withdraw& command)
{
    const auto candidate = known(command.candidate);
    if (!candidate)
        return std::unexpected(candidate.error());
    const std::string name = candidateName(command.candidate);
    if (!isHandwritten(state(), **candidate))
        return fail("inject/not-yours", name + " was not added by you", "ban it to exclude it as a parent");
    if (!canBeWithdrawn(state(), **candidate))
        return fail("inject/too-late", name + " is " + nameOf((*candidate)->stage) + " already",
            "your versions can be undone until their measurement starts; ban it to exclude it as a parent");
    m_pipeline.withdraw(command.candidate);
    m_ledger.record(events::HandwrittenWithdrawn{command.candidate});
    return {};
}

Result<void> CandidateCommands::carryOut(const commands::Rerun& command)
{
    const auto candidate = known(command.candidate);
    const auto against = known(command.against ? command.against : CandidateId{1});
    if (!candidate || (!against && command.against))
        return std::unexpected(candidate ? against.error() : candidate.error());
    const std::string name = candidateName(command.candidate);
    if (command.repeats < 1 || command.repeats > mostTimesTheSamples)
        return outOf("rerun/repeats", "the number of samples, as a multiple of a confirmation's,", mostTimesTheSamples);
    const bool waits = (*candidate)->stage == Stage::Review; // then it is a quick result, not a further verdict
    if (!waits && (!(*candidate)->isOver() || !(*candidate)->latest))
        return fail("rerun/early", name + " has no verdict yet: it is " + nameOf((*candidate)->stage),
            "wait for its first measurement");
    if (waits && isSeedAwaited(state()))
        return fail("rerun/early",
            name + " cannot be measured yet: the seed, which it is compared with, is not measured",
            "wait until the seed is measured");
    if (waits && (command.repeats > 1 || command.against || !command.shapes.empty() || !command.device.empty()))
        return fail("rerun/early",
            name + " is pending review: until the decision, only a quick result against the incumbent is possible",
            "request a re-run when it has a verdict");
    if (command.against && ((*against)->program == (*candidate)->program || !(*against)->isRanked()))
        return fail("rerun/against",
            name + " cannot be measured against " + candidateName(command.against) + ": "
                + ((*against)->isRanked() ? "they are the same program" : "that was not ranked"),
            "name a ranked candidate of another program");
    const auto sight = (*candidate)->confirmed ? HeldoutSight::Shown : HeldoutSight::Hidden;
    auto shapes = chosenShapes(m_ledger.pack().task, command.shapes, sight);
    auto device = command.device.empty() ? Result<std::string>() : m_otherDevice(command.device);
    if (!shapes || !device)
        return std::unexpected(shapes ? device.error() : shapes.error());
    m_ledger.record(events::RerunAsked{{static_cast<std::int64_t>(state().reruns.size()) + 1}, command.candidate,
        command.repeats, command.against, std::move(*shapes), std::move(*device)});
    return {};
}

Result<void> CandidateCommands::carryOut(const commands::CancelReruns& command)
{
    if (const auto candidate = known(command.candidate); !candidate)
        return std::unexpected(candidate.error());
    if (!openRerunOf(state(), command.candidate))
        return fail("rerun/none", candidateName(command.candidate) + " has no pending measurements");
    m_pipeline.withdrawReruns(command.candidate);
    while (const Rerun* open = openRerunOf(state(), command.candidate))
        m_ledger.record(events::RerunWithdrawn{open->id});
    return {};
}

} // namespace tilewright
