// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/prompt/attempts.h"

#include "core/base/text.h"
#include "core/model/measurement/pair_ladder.h"
#include "core/model/parent_change.h"
#include "core/model/tuning_record.h"
#include "core/prompt/examples.h"
#include "core/prompt/findings.h"
#include "core/prompt/measured.h"
#include "core/prompt/redaction.h"
#include "core/proposer/variation.h"
#include "core/source/program_text.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace tilewright {
namespace {

/// More of an island's attempts than these say little about the next one.
constexpr std::size_t mostAttempts = 3, mostConstants = 1, mostFailures = 2;
/// Steps of a lineage further back tell little of what to do next.
constexpr std::size_t mostSteps = 2;
/// A proposal of more ideas than mostTitles lists their names, at most mostNames of them.
constexpr std::size_t mostTitles = 1, mostNames = 3;
/// Constants of which a list tells how they changed.
constexpr std::size_t mostConstantSteps = 3;
/// Bytes of an idea in a model's own words.
constexpr std::size_t longestIdea = 70, longestTitle = 45;
/// Bytes of what an applier said of an edit in a list of failures.
constexpr std::size_t longestDetail = 120;
/// Attempts of which only the titles are listed.
constexpr std::size_t mostOthers = 5;
/// Proposals of the run, the tuner's included, further back: a failure is recent no more.
constexpr std::size_t recentProposals = 300;
/// Shapes that differ by less tell nothing of where a step gained or lost.
constexpr double leastSpread = 0.05;

bool isFailure(const Candidate& candidate)
{
    return candidate.outcome == Outcome::BuildFailed || candidate.outcome == Outcome::RunFailed
        || candidate.outcome == Outcome::Refused || candidate.outcome == Outcome::Quarantined
        || candidate.rule == "review/rejected";
}

std::string outcomeWords(Outcome outcome)
{
    switch (outcome) {
    case Outcome::BuildFailed:
        return "did not build";
    case Outcome::RunFailed:
        return "failed while running";
    case Outcome::Refused:
        return "refused";
    case Outcome::Quarantined:
        return "quarantined";
    default:
        return nameOf(outcome);
    }
}

/// "pack-a, without pack-b and 3 more".
std::string namesOf(const std::vector<std::string>& moves)
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(moves.size(), mostNames); ++i)
        names.push_back(moves[i].starts_with('-') ? "without " + moves[i].substr(1) : moves[i]);
    return joined(names, ", ")
        + (moves.size() > names.size() ? " and " + std::to_string(moves.size() - names.size()) + " more" : "");
}

std::string ratioOf(double ratio) { return numberText(ratio) + "×"; }

std::string moveWords(const TaskPack& pack, const std::string& name)
{
    const bool takenOut = name.starts_with('-');
    const Move* move = moveNamed(pack, takenOut ? name.substr(1) : name);
    const std::string title = move ? redactedForPrompt(move->title, pack.task) : name;
    return takenOut ? "without '" + title + "'" : title;
}

/// "KC 64 → 128, MR 6 → 8 and 2 more": constants that both have. What others begin with stands in the program.
std::string stepsText(const Tunables& before, const Tunables& after)
{
    std::vector<std::string> steps;
    std::size_t all = 0;
    for (const auto& [name, value] : after)
        if (const auto old = before.find(name);
            old != before.end() && old->second != value && ++all <= mostConstantSteps)
            steps.push_back(name + " " + std::to_string(old->second) + " → " + std::to_string(value));
    return joined(steps, ", ") + (all > steps.size() ? " and " + std::to_string(all - steps.size()) + " more" : "");
}

/// What a proposal is called in a list of many.
std::string shortChange(const ProposerView& view, const Proposal& proposal)
{
    return proposal.moves.empty() ? firstSentence(redactedForPrompt(proposal.idea(), view.pack.task), longestTitle)
                                  : namesOf(proposal.moves);
}

/// The best version of an attempt that was tuned before it was judged, beside the program that the attempt was made
/// from.
struct BestVersion {
    const Candidate* candidate = nullptr; ///< null where the attempt itself is the best one, or was not tuned
    ParentChange change;
};

BestVersion bestVersionOf(const RunState& state, const Candidate& attempt)
{
    const CandidateId best = state.settings.tuning > 0 ? tuningOf(state, attempt.id).best : CandidateId{};
    if (!best || best == attempt.id)
        return {};
    const Candidate& version = *state.candidate(best);
    const auto change = versusOther(state, version, rankedAncestor(state, attempt));
    return change ? BestVersion{&version, *change} : BestVersion{};
}

/// Whether the shapes' mean lies in the interval of the whole: not where the two came about by different chains of
/// pairs that the drift of the machine has pulled apart.
bool agree(const std::vector<ShapeSpeed>& speeds, const Interval& whole)
{
    double sum = 0;
    for (const ShapeSpeed& speed : speeds)
        sum += std::log(speed.ratio);
    const double mean = std::exp(sum / static_cast<double>(speeds.size()));
    return whole.lo <= mean && mean <= whole.hi;
}

/// Where a step gained and where it lost: the shapes at both ends, if they differ by more than noise and the step
/// gained on some.
std::string byShapeText(const ProposerView& view, const Candidate& candidate)
{
    const auto change = versusParent(view.state, candidate);
    if (!change)
        return {};
    const std::vector<ShapeSpeed> speeds = speedsByShape(view.state, view.pack.task, candidate.id, change->parent);
    if (speeds.size() < 2 || speeds.back().ratio - speeds.front().ratio <= std::max(change->noise, leastSpread)
        || speeds.back().ratio <= 1 + change->noise || !agree(speeds, change->ratio))
        return {};
    const auto told = [](const ShapeSpeed& speed) {
        return (speed.paired ? "" : "≈ ") + ratioOf(speed.ratio) + " on " + shapeText(speed.shape);
    };
    return "; " + told(speeds.front()) + " … " + told(speeds.back());
}

} // namespace

bool isRetuned(const ProposerView& view, const Candidate& from, const Candidate& to)
{
    return withTunables(view.text(from.source), to.tunables) == view.text(to.source);
}

std::string changeText(const ProposerView& view, const Proposal& proposal, const Candidate* candidate)
{
    std::vector<std::string> parts;
    if (proposal.moves.size() <= mostTitles)
        for (const std::string& move : proposal.moves)
            parts.push_back(moveWords(view.pack, move));
    else
        parts.push_back(namesOf(proposal.moves));
    const Candidate* parent = view.state.candidate(proposal.parents.empty() ? CandidateId{} : proposal.parents.front());
    if (parent && candidate)
        if (const std::string constants = stepsText(parent->tunables, candidate->tunables); !constants.empty())
            parts.push_back(constants);
    // If only constants change, the list of them is the whole description.
    const bool isConstants = parent && candidate && !parts.empty() && proposal.moves.empty()
        && parts.front().find(" more") == std::string::npos && isRetuned(view, *parent, *candidate);
    const bool isModels
        = !isConstants && proposal.moves.empty() && proposal.proposer != "tuner" && proposal.proposer != "mutator";
    if (isModels || parts.empty())
        if (const std::string idea = firstSentence(redactedForPrompt(proposal.idea(), view.pack.task), longestIdea);
            !idea.empty())
            parts.insert(parts.begin(), idea);
    return parts.empty() ? "a change without a rationale" : joined(parts, "; ");
}

std::string resultText(const ProposerView& view, const Candidate& candidate)
{
    if (candidate.rule == "review/rejected")
        return "rejected by a user, with the reason: " + redactedForPrompt(candidate.text, view.pack.task);
    if (candidate.outcome == Outcome::None)
        return "not measured yet";
    if (!candidate.isRanked()) {
        std::string text = outcomeWords(candidate.outcome) + ": " + candidate.rule;
        return candidate.text.empty() ? text
                                      : text + " — "
                + redactedForPrompt(underItsName(candidate.text, view.pack.task.sources.front()), view.pack.task);
    }
    const auto change = versusParent(view.state, candidate);
    if (!change)
        return "score " + withMargin(*candidate.score) + (candidate.confirmed ? ", confirmed" : "");
    const bool isBesideParent = originOf(view.state, change->parent)
        == originOf(view.state, candidate.parents.empty() ? CandidateId{} : candidate.parents.front());
    return briefGain(*change) + (isBesideParent ? "" : " vs " + candidateName(originOf(view.state, change->parent)))
        + (change->isWithinNoise() ? ", not clearly beyond noise" : "");
}

std::vector<std::string> errorLines(const std::string& log, std::size_t most)
{
    std::vector<std::string> lines;
    for (const std::string_view line : splitLines(log)) {
        const bool isError = line.find("error:") != std::string_view::npos
            || line.find("undefined reference") != std::string_view::npos;
        if (isError && lines.size() < most)
            lines.emplace_back(trimmed(line));
    }
    return lines;
}

namespace {

/// "; tuned: +5.0 % ±0.5 (c-0838, UNROLL 4 → 3)": what the tuner made of an attempt; "" where it found nothing better.
std::string tunedText(const RunState& state, const Candidate& attempt)
{
    const BestVersion best = bestVersionOf(state, attempt);
    if (!best.candidate)
        return {};
    const std::string constants = stepsText(attempt.tunables, best.candidate->tunables);
    return "; tuned: " + briefGain(best.change) + " (" + candidateName(best.candidate->id)
        + (constants.empty() ? "" : ", " + constants) + ")";
}

/// " (−3.1 %)", " (refused)": in a list of many.
std::string shortResult(const RunState& state, const Candidate& candidate)
{
    const auto change = candidate.isRanked() ? versusParent(state, candidate) : std::nullopt;
    if (!change)
        return candidate.isRanked() ? "" : " (" + outcomeWords(candidate.outcome) + ")";
    const std::string gain = briefGain(change->ratio);
    return " (" + gain.substr(0, gain.find(" ±")) + ")";
}

/// "c-0123 (from c-0100): change". Its parent is left out where the list says whose edits it holds.
std::string stepText(const ProposerView& view, const Candidate& candidate, ToldParent told)
{
    const Proposal* proposal = view.state.proposal(candidate.proposal);
    std::string change = proposal ? changeText(view, *proposal, &candidate) : "the seed";
    if (change.ends_with('.'))
        change.pop_back();
    std::string text = candidateName(candidate.id);
    std::vector<std::string> parents;
    for (const CandidateId parent : candidate.parents)
        parents.push_back(candidateName(originOf(view.state, parent)));
    if (told == ToldParent::Yes && !parents.empty())
        text += " (from " + joined(parents, " and ") + ")";
    else if (parents.size() > 1)
        text += " (with " + parents[1] + ")";
    return text + ": " + change;
}

} // namespace

std::string attemptLine(const ProposerView& view, const Candidate& candidate, ToldParent told)
{
    std::string text = stepText(view, candidate, told) + ": " + resultText(view, candidate)
        + byShapeText(view, candidate) + tunedText(view.state, candidate);
    const Evaluation* evaluation = view.state.evaluation(candidate.latest);
    if (candidate.outcome == Outcome::BuildFailed && evaluation && !evaluation->result.log.isNull())
        for (const std::string& error : errorLines(view.text(evaluation->result.log), 2))
            if (error.find(candidate.text) == std::string::npos || candidate.text.empty())
                text += "\n    "
                    + redactedForPrompt(underItsName(error, view.pack.task.sources.front()), view.pack.task);
    return text;
}

std::vector<std::string> lineageLines(const ProposerView& view, CandidateId id)
{
    std::vector<std::string> lines;
    const Candidate* at = view.state.candidate(id);
    while (at && !at->parents.empty() && lines.size() < mostSteps) {
        if (!at->migrated) // whose failure is to be mended: it stands above
            // What the tuner made of a step is the next step.
            lines.push_back(stepText(view, *at, ToldParent::No)
                + (isFailure(*at) ? "" : ": " + resultText(view, *at) + byShapeText(view, *at)));
        at = view.state.candidate(at->parents.front());
    }
    return lines;
}

std::vector<std::string> attemptLines(
    const ProposerView& view, IslandId island, CandidateId parentId, CandidateId without)
{
    const Candidate* parent = view.state.candidate(parentId);
    std::set<CandidateId> lineage;
    for (const Candidate* at = parent; at && lineage.insert(at->id).second && !at->parents.empty();)
        at = view.state.candidate(at->parents.front());
    // Versions of one program with other constants are one program here.
    const CandidateId base = parent ? writtenProgram(view.state, parent->id) : CandidateId{};
    const auto isOfHere = [&](CandidateId parentOfIt) {
        const Candidate* from = view.state.candidate(parentOfIt);
        return parent && from && (from->program == parent->program || writtenProgram(view.state, from->id) == base);
    };
    const auto isFromHere = [&](const Candidate& candidate) { return isOfHere(candidate.parents.front()); };
    /// What changes constants alone says little to who changes code; a tuner searches them.
    const auto isOfCode = [](const Proposal& proposal) {
        const bool isBuiltIn
            = proposal.proposer == "mutator" || proposal.proposer == "tuner" || proposal.focus == Focus::Tune;
        return proposal.modelRequest || !proposal.moves.empty() || !isBuiltIn;
    };
    const auto changesCode = [&](const Candidate& candidate) {
        const Proposal* proposal = view.state.proposal(candidate.proposal);
        return proposal && isOfCode(*proposal);
    };
    std::vector<std::string> here, elsewhere, constants, others, measuring;
    std::set<std::string> named;
    std::size_t further = 0;
    const auto addTo = [&](std::vector<std::string>& list, const Proposal& made, const std::string& result) {
        const std::string change = isOfCode(made) ? shortChange(view, made) : std::string();
        if (change.empty() || !named.insert(change).second)
            return;
        if (list.size() < mostOthers)
            list.push_back(change + result);
        else
            ++further;
    };
    // What came to a program that was there already is no candidate, and was tried all the same.
    for (std::size_t i = view.state.proposals.size(); i-- > 0;)
        if (const Proposal& proposal = view.state.proposals[i]; proposal.state == ProposalState::Duplicate
            && proposal.proposer != "tuner" && !proposal.parents.empty() && isOfHere(proposal.parents.front()))
            addTo(others, proposal, " (is " + proposal.detail + ")");
    for (std::size_t i = view.state.candidates.size(); i-- > 0;) {
        const Candidate& candidate = view.state.candidates[i];
        if (candidate.migrated || candidate.parents.empty() || lineage.contains(candidate.id)
            || candidate.id == without)
            continue;
        if (candidate.outcome == Outcome::None) { // it is being measured
            const Proposal* made = view.state.proposal(candidate.proposal);
            if (made && !candidate.tunedFrom && isFromHere(candidate))
                addTo(measuring, *made, "");
            continue;
        }
        if (isFailure(candidate) && candidate.island == island)
            continue; // failureLines() has it
        if (isVersion(view.state, candidate))
            continue; // a version: the program's own line has the best of them
        if (isFromHere(candidate) && !changesCode(candidate)) {
            if (constants.size() < mostConstants)
                constants.push_back(attemptLine(view, candidate, ToldParent::No));
        } else if (isFromHere(candidate) && here.size() < mostAttempts)
            here.push_back(attemptLine(view, candidate, ToldParent::No));
        else if (const Proposal* made = view.state.proposal(candidate.proposal); isFromHere(candidate) && made)
            addTo(others, *made, shortResult(view.state, candidate));
        else if (!isFromHere(candidate) && candidate.island == island && !isFailure(candidate)
            && elsewhere.size() < mostAttempts)
            elsewhere.push_back(attemptLine(view, candidate));
    }
    here.insert(here.end(), constants.begin(), constants.end());
    here.insert(here.end(), elsewhere.begin(), elsewhere.end());
    here.resize(std::min(here.size(), mostAttempts));
    if (!others.empty())
        here.push_back(
            "Also tried: " + joined(others, "; ") + (further > 0 ? "; and " + std::to_string(further) + " more" : ""));
    if (!measuring.empty())
        here.push_back("Being measured: " + joined(measuring, "; "));
    return here;
}

std::vector<std::string> failureLines(const ProposerView& view, IslandId island, ProposalId repaired)
{
    std::set<ProposalId> shownAlready;
    for (const Proposal* step = view.state.proposal(repaired); step; step = view.state.proposal(step->repairOf))
        if (!shownAlready.insert(step->id).second)
            break;
    /// Attempts that came to the same in the same words; the newest stands for all.
    struct Failure {
        std::string key, line;
        int count = 1;
    };
    std::vector<Failure> failures;
    const auto note = [&failures](std::string key, const auto& line) {
        const auto known = std::ranges::find(failures, key, &Failure::key);
        if (known != failures.end())
            ++known->count;
        else if (failures.size() < mostFailures)
            failures.push_back({std::move(key), line()});
    };
    // What a later turn has mended is no failure any more.
    for (const Candidate& candidate : view.state.candidates) {
        const Proposal* step
            = candidate.isRanked() && !candidate.migrated ? view.state.proposal(candidate.proposal) : nullptr;
        for (step = step ? view.state.proposal(step->repairOf) : nullptr; step;
             step = view.state.proposal(step->repairOf))
            if (!shownAlready.insert(step->id).second)
                break;
    }
    std::map<ProposalId, const Candidate*> made;
    for (const Candidate& candidate : view.state.candidates)
        if (candidate.island == island && !candidate.migrated)
            made[candidate.proposal] = &candidate;
    const std::size_t all = view.state.proposals.size(), oldest = all - std::min(all, recentProposals);
    for (std::size_t i = all; i-- > oldest;) {
        const Proposal& proposal = view.state.proposals[i];
        if (proposal.island != island || shownAlready.contains(proposal.id))
            continue;
        const auto found = made.find(proposal.id);
        if (found != made.end() && isFailure(*found->second)) {
            const Candidate& candidate = *found->second;
            note(changeText(view, proposal, &candidate) + "\n" + candidate.rule + "\n" + candidate.text,
                [&] { return attemptLine(view, candidate); });
        }
        std::string result;
        if (proposal.state == ProposalState::Duplicate && proposal.proposer != "tuner" && !proposal.parents.empty())
            result = " (from " + candidateName(originOf(view.state, proposal.parents.front()))
                + "): duplicate, it is the program of " + proposal.detail + " again";
        if (proposal.state == ProposalState::Refused && !proposal.rule.empty())
            result = ": not applied, " + proposal.rule
                + (proposal.detail.empty()
                        ? ""
                        : " — " + firstSentence(redactedForPrompt(proposal.detail, view.pack.task), longestDetail));
        if (!result.empty()) {
            std::string change = changeText(view, proposal, nullptr);
            if (change.ends_with('.'))
                change.pop_back();
            const std::string line = change + result;
            note(line, [&] { return line; });
        }
    }
    std::vector<std::string> lines;
    for (Failure& failure : failures)
        lines.push_back(failure.line
            + (failure.count > 1 ? "\n    Tried " + std::to_string(failure.count)
                        + " times with the same text and the same result: do not send it again."
                                 : ""));
    return lines;
}

} // namespace tilewright
