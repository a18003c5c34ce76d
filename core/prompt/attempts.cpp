// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/prompt/attempts.h"

#include "core/base/text.h"
#include "core/model/parent_change.h"
#include "core/prompt/discretion.h"
#include "core/prompt/figures.h"
#include "core/proposer/variation.h"

#include <algorithm>

namespace tilewright {
namespace {

/// More of an island's attempts than these say little about the next one.
constexpr std::size_t mostAttempts = 24, mostFailures = 12;
/// More ideas than these at once are told by their names.
constexpr std::size_t mostTitles = 2;

bool isFailure(const Candidate& candidate)
{
    return candidate.outcome == Outcome::BuildFailed || candidate.outcome == Outcome::RunFailed
        || candidate.outcome == Outcome::Refused || candidate.outcome == Outcome::Quarantined;
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

std::string moveWords(const TaskPack& pack, const std::string& name)
{
    const bool takenOut = name.starts_with('-');
    const Move* move = moveNamed(pack, takenOut ? name.substr(1) : name);
    const std::string title = move ? move->title : name;
    return takenOut ? "take out '" + title + "'" : title;
}

} // namespace

std::string changeText(const ProposerView& view, const Proposal& proposal, const Candidate* candidate)
{
    std::vector<std::string> parts;
    if (proposal.moves.size() <= mostTitles)
        for (const std::string& move : proposal.moves)
            parts.push_back(moveWords(view.pack, move));
    else
        parts.push_back("several ideas at once: " + joined(proposal.moves, ", "));
    const Candidate* parent = view.state.candidate(proposal.parents.empty() ? CandidateId{} : proposal.parents.front());
    if (parent && candidate)
        if (const std::string constants = changesText(parent->tunables, candidate->tunables); !constants.empty())
            parts.push_back(constants);
    const bool isModels = proposal.moves.empty() && proposal.proposer != "tuner" && proposal.proposer != "mutator";
    if (isModels || parts.empty())
        if (const std::string idea = firstSentence(discreet(proposal.reasoning, view.pack.task)); !idea.empty())
            parts.insert(parts.begin(), idea);
    return parts.empty() ? "a change without a stated idea" : joined(parts, "; ");
}

std::string resultText(const ProposerView& view, const Candidate& candidate)
{
    if (candidate.outcome == Outcome::None)
        return "not measured yet";
    if (!candidate.isRanked()) {
        std::string text = outcomeWords(candidate.outcome) + ": " + candidate.rule;
        return candidate.text.empty() ? text : text + " — " + discreet(candidate.text, view.pack.task);
    }
    const auto change = versusParent(view.state, candidate);
    const std::string score = "score " + ratioText(*candidate.score) + (candidate.confirmed ? ", confirmed" : "");
    if (!change)
        return score;
    return gainText(change->ratio) + " vs " + candidateName(change->parent)
        + (change->isWithinNoise() ? ", within noise" : "") + "; " + score;
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

std::string attemptLine(const ProposerView& view, const Candidate& candidate)
{
    const Proposal* proposal = view.state.proposal(candidate.proposal);
    const std::string change = proposal ? changeText(view, *proposal, &candidate) : "the seed";
    std::string text = candidateName(candidate.id);
    if (!candidate.parents.empty())
        text += " (from " + candidateName(candidate.parents.front())
            + (candidate.parents.size() > 1 ? " and " + candidateName(candidate.parents[1]) : "") + ")";
    text += ": " + change + (change.ends_with('.') ? " " : ". ") + "Result: " + resultText(view, candidate);
    const Evaluation* evaluation = view.state.evaluation(candidate.latest);
    if (candidate.outcome == Outcome::BuildFailed && evaluation && !evaluation->result.log.isNull())
        for (const std::string& error : errorLines(view.text(evaluation->result.log), 2))
            if (error.find(candidate.text) == std::string::npos || candidate.text.empty())
                text += "\n    " + discreet(error, view.pack.task);
    return text;
}

std::vector<std::string> lineageLines(const ProposerView& view, CandidateId id)
{
    std::vector<std::string> lines;
    const Candidate* at = view.state.candidate(id);
    while (at && !at->parents.empty() && lines.size() <= view.state.candidates.size()) {
        if (!at->migrated)
            lines.push_back(attemptLine(view, *at));
        at = view.state.candidate(at->parents.front());
    }
    return lines;
}

std::vector<std::string> attemptLines(const ProposerView& view, IslandId island, CandidateId parentId)
{
    const Candidate* parent = view.state.candidate(parentId);
    std::set<CandidateId> lineage;
    for (const Candidate* at = parent; at && lineage.insert(at->id).second && !at->parents.empty();)
        at = view.state.candidate(at->parents.front());
    const auto isFromHere = [&](const Candidate& candidate) {
        const Candidate* from = view.state.candidate(candidate.parents.front());
        return parent && from && from->program == parent->program;
    };
    std::vector<std::string> here, elsewhere;
    for (std::size_t i = view.state.candidates.size(); i-- > 0;) {
        const Candidate& candidate = view.state.candidates[i];
        if (candidate.migrated || candidate.parents.empty() || lineage.contains(candidate.id)
            || candidate.outcome == Outcome::None)
            continue;
        if (isFromHere(candidate))
            here.push_back(attemptLine(view, candidate));
        else if (candidate.island == island && !isFailure(candidate) && elsewhere.size() < mostAttempts)
            elsewhere.push_back(attemptLine(view, candidate));
    }
    here.insert(here.end(), elsewhere.begin(), elsewhere.end());
    here.resize(std::min(here.size(), mostAttempts));
    return here;
}

std::vector<std::string> failureLines(const ProposerView& view, IslandId island)
{
    std::vector<std::string> lines;
    std::map<ProposalId, const Candidate*> made;
    for (const Candidate& candidate : view.state.candidates)
        if (candidate.island == island && !candidate.migrated)
            made[candidate.proposal] = &candidate;
    for (std::size_t i = view.state.proposals.size(); i-- > 0 && lines.size() < mostFailures;) {
        const Proposal& proposal = view.state.proposals[i];
        if (proposal.island != island)
            continue;
        const auto found = made.find(proposal.id);
        if (found != made.end() && isFailure(*found->second))
            lines.push_back(attemptLine(view, *found->second));
        if (proposal.state == ProposalState::Duplicate && proposal.proposer != "tuner")
            lines.push_back(changeText(view, proposal, nullptr) + " Result: the same program as " + proposal.detail
                + ", which exists already");
        if (proposal.state == ProposalState::Refused && !proposal.rule.empty())
            lines.push_back(changeText(view, proposal, nullptr) + " Result: not applied, " + proposal.rule
                + (proposal.detail.empty() ? "" : " — " + discreet(proposal.detail, view.pack.task)));
    }
    return lines;
}

} // namespace tilewright
