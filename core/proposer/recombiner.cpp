// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/proposer/recombiner.h"

#include "core/evolve/selection.h"
#include "core/model/marks.h"
#include "core/model/measurement/pair_ladder.h"
#include "core/model/parent_change.h"
#include "core/model/reviews/review_queue.h"
#include "core/model/tuning_record.h"
#include "core/patch/diff.h"
#include "core/proposer/tuner.h"
#include "core/source/program_text.h"

#include <algorithm>

namespace tilewright {
namespace {

constexpr std::size_t targetsOfAnIsland = 3; ///< its best programs, that edits are tried on

/// Whether a model or a user wrote the edit that made it.
bool isWritten(const RunState& state, const Candidate& candidate)
{
    const Proposal* proposal = state.proposal(candidate.proposal);
    return proposal && !candidate.migrated && !candidate.takenBack && !candidate.tunedFrom
        && (proposal->modelRequest || proposal->proposer == "person");
}

/// Its ancestors by all parents, itself included.
std::set<CandidateId> lineageOf(const RunState& state, CandidateId id)
{
    std::set<CandidateId> all;
    std::vector<CandidateId> open{id};
    while (!open.empty()) {
        const Candidate* candidate = state.candidate(open.back());
        open.pop_back();
        if (!candidate || !all.insert(candidate->id).second)
            continue;
        open.insert(open.end(), candidate->parents.begin(), candidate->parents.end());
        if (candidate->migrated)
            open.push_back(originOf(state, candidate->id));
    }
    return all;
}

/// A strategy for comparison keeps to what its own requests bring.
bool takesPart(const Island& island) { return island.standing == Standing::Living && strategyOf(island).canSteer(); }

} // namespace

std::optional<PatchResult> carriedEdit(
    std::string_view before, std::string_view after, std::string_view target, std::string_view file)
{
    const Tunables was = valuesOf(tunablesOf(before)), became = valuesOf(tunablesOf(after));
    Tunables here = valuesOf(tunablesOf(target));
    std::erase_if(here, [&](const auto& tunable) {
        const auto old = was.find(tunable.first), fresh = became.find(tunable.first);
        return old == was.end() || fresh == became.end() || old->second != fresh->second;
    });
    const std::string diff = unifiedDiff(withTunables(before, here), withTunables(after, here), file);
    if (diff.empty())
        return std::nullopt;
    auto patched = applyDiff(target, diff);
    if (!patched || !patched->repairs.empty())
        return std::nullopt;
    const auto broken = Constraints(patched->text).broken();
    if (!broken || !broken->empty())
        return std::nullopt;
    return std::move(*patched);
}

void Recombiner::propose(const ProposalRequest& request, const ProposerView& view, Answer answer)
{
    const Candidate* target = request.parents.empty() ? nullptr : view.state.candidate(request.parents.front());
    const Candidate* donor = request.parents.size() < 2 ? nullptr : view.state.candidate(request.parents[1]);
    const Candidate* base = donor ? view.state.candidate(rankedAncestor(view.state, *donor)) : nullptr;
    const Proposal* written = donor ? view.state.proposal(donor->proposal) : nullptr;
    if (!target || !base || !written)
        return answer(fail("proposer/parent", "the text of its parent is not in the session"));
    const auto carried = carriedEdit(
        view.text(base->source), view.text(donor->source), view.text(target->source), view.pack.task.sources.front());
    if (!carried)
        return answer(fail("proposer/exhausted", "the edit of " + candidateName(donor->id) + " does not fit"));
    ReplyWords words;
    words.title = written->title.empty() ? "edit of " + candidateName(donor->id) : written->title;
    words.reasoning = "The edit of " + candidateName(donor->id) + ", which made " + candidateName(base->id)
        + " faster, applied to " + candidateName(target->id) + ". No reply was requested.";
    words.diff = carried->diff;
    Offer offer;
    offer.proposer = name();
    offer.reply = replyText(words);
    offer.parents = request.parents;
    answer(std::move(offer));
}

void Recombinations::takeUp(const RunState& state)
{
    m_edits.clear();
    for (const Candidate& candidate : state.candidates)
        note(state, candidate.id);
    for (const Proposal& proposal : state.proposals)
        noteOffer(state, proposal);
}

void Recombinations::note(const RunState& state, CandidateId settled)
{
    const Candidate* version = state.candidate(settled);
    const Candidate* written = state.candidate(tuningBase(state, settled));
    if (state.settings.recombinations == 0 || !version || !version->isRanked() || !written
        || !isWritten(state, *written))
        return;
    const CandidateId parent = rankedAncestor(state, *written);
    const auto change = parent ? versusOther(state, *version, parent) : std::nullopt;
    if (!change || change->isWithinNoise() || change->ratio.value <= 1)
        return;
    m_edits.try_emplace(written->id);
    if (m_edits.size() > kept)
        m_edits.erase(m_edits.begin());
}

void Recombinations::noteOffer(const RunState& state, const Proposal& proposal)
{
    if (proposal.proposer != recombinerName || proposal.parents.size() < 2)
        return;
    const auto edit = m_edits.find(proposal.parents[1]);
    if (edit == m_edits.end())
        return;
    ++edit->second.offered;
    edit->second.seen.insert(writtenProgram(state, proposal.parents.front()));
}

bool Recombinations::areLeft(const RunState& state) const
{
    return std::ranges::any_of(
        m_edits, [&](const auto& edit) { return edit.second.offered < state.settings.recombinations; });
}

bool Recombinations::fits(const ProposerView& view, CandidateId target, CandidateId donor)
{
    const RunState& state = view.state;
    const Candidate& written = *state.candidate(donor);
    const Candidate* base = state.candidate(rankedAncestor(state, written));
    const CandidateId program = writtenProgram(state, target);
    if (!base || program == donor || program == writtenProgram(state, base->id)
        || lineageOf(state, target).contains(donor) || lineageOf(state, donor).contains(target))
        return false;
    const std::string before = view.text(base->source), after = view.text(written.source);
    if (structureOf(before) == structureOf(after))
        return false; // it sets constants alone: the tuner's work
    const auto carried
        = carriedEdit(before, after, view.text(state.candidate(target)->source), view.pack.task.sources.front());
    if (!carried)
        return false;
    for (; m_known < state.candidates.size(); ++m_known)
        m_structures.insert(structureOf(view.text(state.candidates[m_known].source)));
    return !m_structures.contains(structureOf(carried->text));
}

std::optional<ProposalRequest> Recombinations::next(
    const ProposerView& view, const PendingRequests& pending, const RestingIslands& resting)
{
    const RunState& state = view.state;
    if (!areLeft(state))
        return std::nullopt;
    std::vector<ProposalRequest> targets;
    for (const Island& island : state.islands) {
        std::vector<const Candidate*> best = nearBest(state, island);
        best.resize(std::min(best.size(), targetsOfAnIsland));
        for (const Candidate* target : best) {
            const Island* home = state.island(target->island);
            if (!home || !takesPart(*home) || resting.contains(home->id) || isBanned(state, target->id))
                continue;
            const auto waiting = pending.find(home->id);
            const std::int64_t unanswered = waiting == pending.end() ? 0 : waiting->second;
            if (mayPropose(state, home->id, unanswered))
                targets.push_back({home->id, home->proposals + unanswered + 1, Focus::Crossover, {target->id}});
        }
    }
    for (auto edit = m_edits.rbegin(); edit != m_edits.rend(); ++edit) {
        auto& [donor, tried] = *edit;
        const Island* origin = state.island(state.candidate(donor)->island);
        if (tried.offered >= state.settings.recombinations || isBanned(state, donor) || !origin
            || !strategyOf(*origin).canSteer())
            continue;
        for (ProposalRequest& request : targets) {
            const CandidateId program = writtenProgram(state, request.parents.front());
            if (tried.seen.contains(program))
                continue;
            if (!fits(view, request.parents.front(), donor)) {
                tried.seen.insert(program);
                continue;
            }
            request.parents.push_back(donor);
            return request;
        }
    }
    return std::nullopt;
}

} // namespace tilewright
