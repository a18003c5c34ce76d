// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/prompt/examples.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/evolve/population.h"
#include "core/model/measurement/pair_ladder.h"
#include "core/model/parent_change.h"
#include "core/model/tuning_record.h"
#include "core/patch/diff.h"
#include "core/prompt/attempts.h"
#include "core/prompt/insights.h"
#include "core/prompt/redaction.h"
#include "core/proposer/tuner.h"
#include "core/proposer/variation.h"
#include "core/source/program_form.h"
#include "core/source/program_text.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <set>

namespace tilewright {
namespace {

constexpr std::size_t mostInspirations = 2, mostPatches = 1, mostIdeas = 2;
constexpr std::size_t longestPatch = 600; ///< bytes of an example's diff
/// An idea that so many attempts measured without a clear effect is known.
constexpr int enoughAttempts = 3;
/// A gain over a program slower than this share of the best says little: nearly everything helps there.
constexpr double goodEnough = 0.6;

std::string diffBetween(const ProposerView& view, const Candidate& from, const Candidate& to)
{
    return unifiedDiff(view.text(from.source), view.text(to.source), view.pack.task.sources.front());
}

/// Whether half of the lines that a patch adds stand in the program already.
bool isMostlyThere(const std::string& diff, const std::string& program)
{
    std::set<std::string_view> lines;
    for (const std::string_view line : splitLines(program))
        lines.insert(trimmed(line));
    std::size_t added = 0, there = 0;
    for (const std::string_view line : splitLines(diff))
        if (line.starts_with('+') && !line.starts_with("+++") && trimmed(line.substr(1)).size() > 1) {
            ++added;
            there += lines.contains(trimmed(line.substr(1)));
        }
    return 2 * there >= added;
}

/// A copy that migrated goes by the name of what it was copied from.
std::string headOf(const RunState& state, const Candidate& candidate)
{
    return candidateName(originOf(state, candidate.id)) + ", score "
        + (candidate.score ? withMargin(*candidate.score) : std::string("unknown"))
        + (candidate.confirmed ? ", confirmed" : "");
}

std::string gainOf(const ProposerView& view, const Candidate& candidate)
{
    const auto change = versusParent(view.state, candidate);
    return change ? briefGain(*change) + " vs " + candidateName(originOf(view.state, change->parent)) : "";
}

} // namespace

std::vector<std::string> inspirations(
    const ProposerView& view, IslandId islandId, const Candidate& parent, const Candidate* without)
{
    std::vector<const Candidate*> chosen;
    std::set<Hash> programs{parent.program};
    std::set<std::string> cells{parent.cell};
    if (without)
        programs.insert(without->program);
    const auto take = [&](const Island& island) {
        std::vector<const Candidate*> elites;
        for (const auto& [cell, id] : island.niches)
            if (const Candidate* elite = view.state.candidate(id); elite && elite->isRanked())
                elites.push_back(elite);
        std::ranges::stable_sort(elites, std::greater(), [](const Candidate* elite) { return fitnessOf(*elite); });
        for (const Candidate* elite : elites)
            if (chosen.size() < mostInspirations && !programs.contains(elite->program)
                && cells.insert(elite->cell).second) {
                programs.insert(elite->program);
                chosen.push_back(elite);
            }
    };
    if (const Candidate* best = view.state.candidate(view.state.incumbent);
        best && best->isRanked() && best->id != CandidateId{1} && programs.insert(best->program).second) {
        cells.insert(best->cell);
        chosen.push_back(best);
    }
    if (const Island* own = view.state.island(islandId))
        take(*own);
    for (const Island& island : view.state.islands)
        if (island.id != islandId)
            take(island);
    std::vector<std::string> texts;
    const std::size_t programBytes = view.text(parent.source).size();
    for (const Candidate* elite : chosen) {
        std::string text
            = headOf(view.state, *elite) + (elite->id == view.state.incumbent ? ", the best of the run." : ".");
        const std::string diff = diffBetween(view, parent, *elite);
        const Proposal* proposal = view.state.proposal(elite->proposal);
        if (isRetuned(view, parent, *elite))
            text += " Other constants only: " + changesText(parent.tunables, elite->tunables) + "\n";
        else if (diff.size() * 2 <= programBytes)
            text += " From the program above to it:\n" + fenced(diff, "diff");
        else if (proposal)
            text += " Mostly another program; its last step: " + changeText(view, *proposal, elite) + "\n";
        texts.push_back(std::move(text));
    }
    return texts;
}

std::string otherParent(const ProposerView& view, const Candidate& parent, const Candidate& other)
{
    return headOf(view.state, other) + ". From the program above ('-') to it ('+'):\n"
        + fenced(diffBetween(view, parent, other), "diff");
}

std::vector<std::string> bestPatches(const ProposerView& view, const Candidate& parent)
{
    struct Gain {
        const Candidate* candidate;
        double atLeast;
    };
    std::vector<Gain> gains;
    const Candidate* best = view.state.candidate(view.state.incumbent);
    const double bestFitness = best ? fitnessOf(*best) : 0;
    for (const Candidate& candidate : view.state.candidates) {
        const auto change = candidate.migrated ? std::nullopt : versusParent(view.state, candidate);
        if (!change || change->isWithinNoise() || change->ratio.lo <= 1 || candidate.program == parent.program
            || isBanned(view.state, candidate.id))
            continue;
        const Candidate& from = *view.state.candidate(change->parent);
        if (fitnessOf(from) >= goodEnough * bestFitness)
            gains.push_back({&candidate, change->ratio.lo});
    }
    std::ranges::stable_sort(gains, std::greater(), &Gain::atLeast);
    std::vector<std::string> texts;
    std::set<std::string> changes;
    for (const Gain& gain : gains) {
        if (texts.size() == mostPatches)
            break;
        const Proposal* proposal = view.state.proposal(gain.candidate->proposal);
        const Candidate& from = *view.state.candidate(gain.candidate->parents.front());
        const std::string diff = diffBetween(view, from, *gain.candidate);
        if (diff.empty() || !proposal || isRetuned(view, from, *gain.candidate)
            || isMostlyThere(diff, view.text(parent.source)))
            continue;
        const std::string change = changeText(view, *proposal, gain.candidate);
        if (!changes.insert(change).second)
            continue;
        texts.push_back(candidateName(gain.candidate->id) + ": " + change + (change.ends_with('.') ? " " : ". ")
            + gainOf(view, *gain.candidate) + ".\n" + (diff.size() <= longestPatch ? fenced(diff, "diff") : ""));
    }
    return texts;
}

/// The factor that a claim promises first: "5x" 5, "+60 %, several times …" 1.6; 1 for none.
double claimedGain(const std::string& expects)
{
    const auto number = leadingDecimal(expects);
    if (!number || number->value <= 0)
        return 1;
    return expects.starts_with('+') ? 1 + number->value / 100 : number->value;
}

bool isNamePart(char c) { return c == '-' || std::isalnum(static_cast<unsigned char>(c)); }

/// The text with the names of moves, which its reader has not seen, as their titles.
std::string withTitles(std::string text, const std::vector<Move>& moves)
{
    for (const Move& move : moves) {
        if (move.name.find('-') == std::string::npos || move.title.empty())
            continue;
        const std::string title = '"' + move.title + '"';
        for (std::size_t at = 0; (at = text.find(move.name, at)) != std::string::npos;) {
            const std::size_t after = at + move.name.size();
            const bool isWhole
                = (at == 0 || !isNamePart(text[at - 1])) && (after == text.size() || !isNamePart(text[after]));
            if (isWhole)
                text.replace(at, move.name.size(), title);
            at += isWhole ? title.size() : move.name.size();
        }
    }
    return text;
}

/// Questions of the island about the program that nobody has answered yet; repair turns aside.
std::int64_t openQuestions(const RunState& state, IslandId island, CandidateId program)
{
    return std::ranges::count_if(state.modelRequests, [&](const ModelRequest& modelRequest) {
        return modelRequest.state == ModelRequestState::Open && modelRequest.island == island && !modelRequest.repairOf
            && !modelRequest.parents.empty() && modelRequest.parents.front() == program;
    });
}

/// Slower by itself, or so often without a clear effect that one more attempt tells nothing.
bool isKnownUseless(const Insight& record)
{
    return record.isClear() ? record.gain.value < 1 : record.wasMeasured() && record.tried >= enoughAttempts;
}

/// Moves that were tried on this very program by themselves, or taken out on the way to it.
std::set<std::string> triedHere(const RunState& state, const Candidate& parent)
{
    std::set<std::string> tried;
    for (const Proposal& proposal : state.proposals) {
        const Candidate* from = proposal.parents.empty() ? nullptr : state.candidate(proposal.parents.front());
        if (proposal.moves.size() == 1 && from && from->program == parent.program)
            tried.insert(proposal.moves.front());
    }
    for (const Candidate* at = &parent; at && !at->parents.empty(); at = state.candidate(at->parents.front()))
        if (const Proposal* step = state.proposal(at->proposal))
            for (const std::string& move : step->moves)
                if (move.starts_with('-'))
                    tried.insert(move.substr(1));
    return tried;
}

/// Programs, constants aside, that edits of this program or of its versions came to, whoever wrote them.
std::set<Hash> structuresMadeOf(const ProposerView& view, const Candidate& parent)
{
    const RunState& state = view.state;
    const CandidateId base = writtenProgram(state, parent.id);
    std::set<Hash> made;
    for (const Candidate& candidate : state.candidates)
        if (!candidate.migrated && !candidate.tunedFrom && !candidate.parents.empty()
            && writtenProgram(state, candidate.parents.front()) == base)
            made.insert(structureOf(view.text(candidate.source)));
    for (const Proposal& proposal : state.proposals)
        if (proposal.state == ProposalState::Duplicate && proposal.proposer != "tuner" && !proposal.parents.empty()
            && writtenProgram(state, proposal.parents.front()) == base)
            if (const Candidate* known = state.candidate(candidateFromName(proposal.detail)))
                made.insert(structureOf(view.text(known->source)));
    return made;
}

/// What is known of an idea goes by its measurement, what is not by its claim.
std::vector<std::string> textbookIdeas(const ProposerView& view, const Candidate& parent, IslandId island)
{
    struct Idea {
        const Move* move;
        std::optional<Insight> record;
    };
    const Variation variation{view.text(parent.source), parent.moves, {}, {}};
    const std::vector<const Move*> applicable = applicableMoves(variation, view.pack);
    if (applicable.empty())
        return {};
    const Insights known = insightsOf(view.state);
    const std::set<std::string> tried = triedHere(view.state, parent);
    const std::set<Hash> made = structuresMadeOf(view, parent);
    const std::string called = withoutUncalledFunctions(variation.text);
    std::vector<Idea> ideas;
    for (const Move* move : applicable) {
        const auto with = withMove(variation, *move);
        if (with && withoutUncalledFunctions(with->text) == called)
            continue; // it changes only what the program no longer calls
        if (with && made.contains(structureOf(with->text)))
            continue;
        const auto found = std::ranges::find(known.moves, move->name, &Insight::name);
        if (tried.contains(move->name) || (found != known.moves.end() && isKnownUseless(*found)))
            continue;
        ideas.push_back({move, found == known.moves.end() ? std::nullopt : std::optional(*found)});
    }
    std::ranges::stable_sort(ideas, std::greater(), [](const Idea& idea) {
        return idea.record && idea.record->wasMeasured() ? idea.record->gain.value : claimedGain(idea.move->expects);
    });
    // The same question twice costs twice: while nothing was tried each island begins with another idea, and so does
    // each further question about a program while others about it are not answered.
    const bool nothingTried = std::ranges::none_of(ideas, [](const Idea& idea) { return idea.record.has_value(); });
    const std::int64_t places = nothingTried ? std::max<std::int64_t>(std::ssize(view.state.islands), 1) : 1;
    const std::int64_t first = openQuestions(view.state, island, parent.id) * places
        + (nothingTried ? std::max<std::int64_t>(island.value, 1) - 1 : 0);
    if (const auto shown = std::min<std::ptrdiff_t>(std::ssize(ideas), mostIdeas); shown > 1)
        std::rotate(ideas.begin(), ideas.begin() + first % shown, ideas.begin() + shown);
    const bool isSeeds = parent.parents.empty();
    std::vector<std::string> texts;
    for (const Idea& idea : ideas) {
        if (texts.size() == mostIdeas)
            break;
        std::string text = idea.move->title + "."
            + (isSeeds && texts.empty() ? " " + firstSentence(idea.move->reasoning) : std::string());
        if (!idea.move->expects.empty())
            text += " Claim: " + idea.move->expects + ".";
        text = redactedForPrompt(withTitles(std::move(text), view.pack.moves), view.pack.task);
        if (idea.record && idea.record->tried > 0) {
            const std::string record = recordText(*idea.record);
            text += " Measured here: " + record.substr(0, record.find("; also part of")) + ".";
        }
        // The seed's editors see how its text is changed; later programs have other lines.
        if (isSeeds && texts.empty() && idea.move->diff.size() <= longestPatch)
            if (const auto with = withMove(variation, *idea.move))
                text += " As a patch of the program above:\n"
                    + fenced(unifiedDiff(variation.text, with->text, view.pack.task.sources.front()), "diff");
        texts.push_back(std::move(text));
    }
    return texts;
}

namespace {

std::string factor(double value) { return fixedText(value, value < 10 ? 3 : value < 100 ? 2 : 1); }

std::string signedChange(double ratio)
{
    const double value = 100 * (ratio - 1);
    std::string text = fixedText(std::abs(value), 1);
    return (text == "0.0" ? "±" : value < 0 ? "−" : "+") + text + " %";
}

} // namespace

std::string ratioText(const Interval& ratio)
{
    return factor(ratio.value) + "× [" + factor(ratio.lo) + ", " + factor(ratio.hi) + "]";
}

std::string withMargin(const Interval& ratio)
{
    constexpr double tenthOfPercent = 1000;
    const double half = ratio.value > 0 ? std::max(ratio.hi / ratio.value - 1, 1 - ratio.lo / ratio.value) : 0;
    if (half <= 0)
        return factor(ratio.value) + "×"; // what it is measured against
    return factor(ratio.value) + "× ±" + fixedText(std::ceil(half * tenthOfPercent - 1e-9) / 10, 1) + " %";
}

std::string gainText(const Interval& ratio)
{
    if (ratio.value < 0.5 || ratio.value > 2)
        return ratioText(ratio);
    return signedChange(ratio.value) + " [" + signedChange(ratio.lo) + ", " + signedChange(ratio.hi) + "]";
}

std::string gainText(const ParentChange& change) { return (change.paired ? "" : "≈ ") + gainText(change.ratio); }

std::string briefGain(const Interval& ratio)
{
    if (ratio.value < 0.5 || ratio.value > 2)
        return withMargin(ratio);
    const double half = std::max(ratio.hi - ratio.value, ratio.value - ratio.lo);
    return signedChange(ratio.value) + " ±" + fixedText(std::ceil(1000 * half - 1e-9) / 10, 1);
}

std::string briefGain(const ParentChange& change) { return (change.paired ? "" : "≈ ") + briefGain(change.ratio); }

std::string tableText(const std::vector<std::vector<std::string>>& rows)
{
    std::string text;
    for (const auto& row : rows)
        text += joined(row, " | ") + '\n';
    return text;
}

std::string fenced(const std::string& text, const std::string& language)
{
    std::string fence = "```";
    while (text.find(fence) != std::string::npos)
        fence += '`';
    return fence + language + "\n" + text + (text.ends_with('\n') ? "" : "\n") + fence + "\n";
}

std::string firstSentence(const std::string& text, std::size_t longest)
{
    std::string line(trimmed(text));
    std::ranges::replace(line, '\n', ' ');
    const std::size_t end = line.find(". ");
    if (end != std::string::npos)
        line.resize(end + 1);
    if (line.size() <= longest)
        return line;
    line.resize(longest);
    // Not in the middle of a word, a figure or a row of figures.
    do
        line.resize(line.find_last_of(' ') == std::string::npos ? 0 : line.find_last_of(' '));
    while (!line.empty() && std::isalpha(static_cast<unsigned char>(line.back())) == 0);
    return line + " …";
}

} // namespace tilewright
