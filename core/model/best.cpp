// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/best.h"

#include "core/base/format.h"
#include "core/model/marks.h"
#include "core/model/parent_change.h"

#include <algorithm>
#include <ranges>

namespace tilewright {
namespace {

constexpr CandidateId seed{1};

bool mayBeBest(const RunState& state, CandidateId id)
{
    const Candidate* candidate = state.candidate(id);
    return candidate && candidate->isRanked() && !isBanned(state, id);
}

double scoreOf(const RunState& state, CandidateId id) { return state.candidate(id)->score->value; }

/// The last incumbent that is not banned, else the seed.
CandidateId lastIncumbent(const RunState& state)
{
    for (const CandidateId id : state.incumbents | std::views::reverse)
        if (mayBeBest(state, id))
            return id;
    return state.incumbent ? seed : CandidateId{};
}

/// Another one holds the title of the island: its trace goes on there, and falls where a ban took the best away.
void goOn(const RunState& state, Island& island)
{
    auto& trace = island.bestTrace;
    if (!island.best)
        return;
    const std::pair now(state.resultsEver, scoreOf(state, island.best));
    const bool isUndone = trace.size() >= 2 && trace.back().first == now.first
        && trace.back().second < now.second // it fell with a ban that ends before anything came
        && trace[trace.size() - 2].second == now.second;
    if (isUndone)
        trace.pop_back();
    else if (trace.empty() || trace.back().second != now.second)
        trace.push_back(now);
}

/// From where on the trace only rises: what stands before was known until a ban or a reset took it away.
auto lastRise(std::vector<std::pair<std::int64_t, double>>& trace)
{
    auto first = trace.end();
    while (first != trace.begin() && (first == trace.end() || std::prev(first)->second <= first->second))
        --first;
    return first;
}

} // namespace

void findBest(const RunState& state, Island& island)
{
    island.best = {};
    for (const CandidateId id : island.members)
        if (mayBeBest(state, id) && (!island.best || scoreOf(state, id) > scoreOf(state, island.best)))
            island.best = id;
}

void reviseBest(RunState& state, CandidateId measured)
{
    for (Island& island : state.islands) {
        if (std::ranges::find(island.members, measured) == island.members.end())
            continue;
        const CandidateId before = island.best;
        findBest(state, island);
        if (island.best != measured && before != measured)
            continue;
        const double now = island.best ? scoreOf(state, island.best) : 0;
        auto& trace = island.bestTrace;
        trace.erase(
            std::remove_if(lastRise(trace), trace.end(), [now](const auto& point) { return point.second > now; }),
            trace.end());
        if (island.best && (trace.empty() || trace.back().second < now))
            trace.emplace_back(state.resultsEver, now);
    }
}

void loseBest(RunState& state)
{
    for (Island& island : state.islands)
        if (isBanned(state, island.best)) {
            findBest(state, island);
            goOn(state, island);
        }
    if (isBanned(state, state.incumbent))
        state.incumbent = lastIncumbent(state);
}

void regainBest(RunState& state, CandidateId candidate)
{
    for (Island& island : state.islands) {
        const CandidateId before = island.best;
        for (const CandidateId id : island.members) {
            if (!isCopyOf(state, id, candidate) || !mayBeBest(state, id))
                continue;
            const double lead = island.best ? scoreOf(state, id) - scoreOf(state, island.best) : 1;
            if (lead > 0 || (lead == 0 && id < island.best))
                island.best = id;
        }
        if (island.best != before)
            goOn(state, island);
    }
    CandidateId next = lastIncumbent(state);
    for (const CandidateId id : state.incumbents)
        if (isCopyOf(state, id, candidate) && mayBeBest(state, id) && scoreOf(state, id) > scoreOf(state, next))
            next = id;
    if (next != lastIncumbent(state))
        state.incumbents.push_back(next);
    state.incumbent = next;
}

namespace {

std::vector<std::string> without(const std::vector<std::string>& all, const std::vector<std::string>& others)
{
    std::vector<std::string> left;
    for (const std::string& one : all)
        if (std::ranges::find(others, one) == others.end())
            left.push_back(one);
    return left;
}

std::vector<std::string> changed(const Tunables& before, const Tunables& after)
{
    std::vector<std::string> words;
    for (const auto& [name, value] : after) {
        const auto was = before.find(name);
        if (was == before.end())
            words.push_back(name + " = " + std::to_string(value));
        else if (was->second != value)
            words.push_back(name + " " + std::to_string(was->second) + " → " + std::to_string(value));
    }
    return words;
}

BestStep stepTo(const Candidate& best, std::int64_t evaluations, const Candidate* before)
{
    BestStep step{evaluations, &best, {}, {}, {}};
    step.added = without(best.moves, before ? before->moves : std::vector<std::string>());
    step.removed = without(before ? before->moves : std::vector<std::string>(), best.moves);
    step.constants = changed(before ? before->tunables : Tunables(), best.tunables);
    return step;
}

/// 1, 10, 30, 100, 300, then three times and 10/3 times as many in turn: 900, 3000, 9000, …
std::vector<std::int64_t> milestonesUpTo(std::int64_t end)
{
    std::vector<std::int64_t> all;
    for (const std::int64_t at : {1, 10, 30, 100, 300})
        all.push_back(at);
    for (std::int64_t at = 900; at < end; at = at % 9 == 0 ? at / 3 * 10 : at * 3)
        all.push_back(at);
    std::erase_if(all, [end](std::int64_t at) { return at >= end; });
    all.push_back(end);
    return all;
}

} // namespace

std::vector<BestStep> bestsOf(const RunState& run)
{
    std::map<CandidateId, std::size_t> proven; // the last time
    for (std::size_t i = 0; i < run.incumbents.size(); ++i)
        if (!isBanned(run, run.incumbents[i]))
            proven[run.incumbents[i]] = i;
    std::vector<const Candidate*> bests;
    for (const auto& [id, when] : proven)
        bests.push_back(run.candidate(id));
    std::ranges::sort(bests, {}, &Candidate::evaluationNumber);
    std::vector<BestStep> steps;
    for (const Candidate* best : bests)
        if (steps.empty() || proven.at(best->id) > proven.at(steps.back().best->id))
            steps.push_back(stepTo(*best, best->evaluationNumber, steps.empty() ? nullptr : steps.back().best));
    return steps;
}

namespace {

/// The best by screening of those that began until then and are clearly above the proven one; null: nobody.
const Candidate* screenedAbove(const Candidate& proven, const RunState& run, std::int64_t until)
{
    const Candidate* best = nullptr;
    for (const Candidate& candidate : run.candidates) {
        const bool counts = candidate.evaluationNumber >= 1 && candidate.evaluationNumber <= until
            && candidate.isRanked() && !candidate.confirmed && candidate.score && !isBanned(run, candidate.id);
        if (counts && proven.score && candidate.score->lo > proven.score->hi
            && (!best || candidate.score->value > best->score->value))
            best = &candidate;
    }
    return best;
}

} // namespace

std::vector<BestStep> milestonesOf(const RunState& run)
{
    const std::vector<BestStep> bests = bestsOf(run);
    std::vector<BestStep> steps;
    // Of evaluations that are under way some have later numbers than those that are over.
    const std::int64_t end = std::max(run.evaluationsDone, bests.empty() ? 0 : bests.back().evaluations);
    for (const std::int64_t at : milestonesUpTo(end)) {
        const auto next = std::ranges::upper_bound(bests, at, {}, &BestStep::evaluations);
        if (next == bests.begin())
            continue;
        const Candidate* best = std::prev(next)->best;
        if (const Candidate* screened = at < end ? screenedAbove(*best, run, at) : nullptr)
            best = screened;
        steps.push_back(stepTo(*best, at, steps.empty() ? nullptr : steps.back().best));
    }
    return steps;
}

namespace {

/// That decided about it: of a copy, the one of its original.
const Evaluation* confirmationOf(const RunState& run, const Candidate& candidate)
{
    const Evaluation* latest = run.evaluation(candidate.latest);
    if (!latest || latest->result.purpose == Purpose::Confirm)
        return latest;
    for (const Evaluation* earlier = latest; earlier; earlier = run.evaluation(earlier->before))
        if (earlier->result.purpose == Purpose::Confirm)
            return earlier;
    return latest;
}

} // namespace

std::optional<NotBest> whyNotBest(const RunState& run, const Candidate& candidate)
{
    const Candidate* best = run.best();
    if (const CandidateId banned = banOf(run, candidate.id); best && banned && candidate.confirmed)
        return NotBest{NotBest::Why::Banned, best->id, banned, Verdict::None, {}};
    if (!best || !candidate.confirmed || candidate.id == best->id || candidate.parents.empty())
        return std::nullopt;
    if (candidate.program == best->program)
        return NotBest{NotBest::Why::SameProgram, best->id, {}, Verdict::None, {}};
    const Evaluation* confirmation = confirmationOf(run, candidate);
    if (!confirmation || confirmation->result.verdict == Verdict::None)
        return std::nullopt;
    const EvaluationResult& result = confirmation->result;
    if (result.verdict == Verdict::Better)
        return NotBest{NotBest::Why::Overtaken, best->id, {}, Verdict::None, {}};
    return NotBest{NotBest::Why::NotProven, best->id, confirmation->against, result.verdict, result.versusIncumbent};
}

namespace {

bool livesThere(const Island& island, CandidateId id)
{
    return std::ranges::find(island.members, id) != island.members.end();
}

bool mayHold(const RunState& state, CandidateId id)
{
    const Candidate* candidate = state.candidate(id);
    return candidate && candidate->isRanked() && !isBanned(state, id);
}

/// The best member of the cell that may hold it, of equals the oldest; none: no one.
CandidateId heirOf(const RunState& state, const Island& island, const std::string& cell)
{
    const Candidate* heir = nullptr;
    for (const CandidateId id : island.members) {
        const Candidate* member = state.candidate(id);
        if (!mayHold(state, id) || member->cell != cell)
            continue;
        const double lead = heir ? member->score->value - heir->score->value : 1;
        if (lead > 0 || (lead == 0 && id < heir->id))
            heir = member;
    }
    return heir ? heir->id : CandidateId{};
}

} // namespace

void releaseCells(RunState& state)
{
    for (Island& island : state.islands)
        for (auto held = island.niches.begin(); held != island.niches.end();) {
            if (!mayHold(state, held->second) || !livesThere(island, held->second))
                held->second = heirOf(state, island, held->first);
            held = held->second ? std::next(held) : island.niches.erase(held);
        }
}

void claimCells(RunState& state, CandidateId candidate)
{
    for (Island& island : state.islands)
        for (const CandidateId id : island.members) {
            if (!isCopyOf(state, id, candidate) || !mayHold(state, id))
                continue;
            const Candidate& member = *state.candidate(id);
            const auto [place, isFree] = island.niches.try_emplace(member.cell, id);
            if (!isFree && member.score->value > state.candidate(place->second)->score->value)
                place->second = id;
        }
}

const Candidate* shownBest(const RunState& run, const Island& island)
{
    const Candidate* best = run.best();
    const bool livesThere = best && std::ranges::any_of(island.members, [&](CandidateId id) {
        const Candidate* member = run.candidate(id);
        return member && member->program == best->program;
    });
    return livesThere ? best : run.candidate(island.best);
}

std::optional<LowerScore> lowerScoreOf(const RunState& run)
{
    const Candidate* best = run.best();
    std::optional<LowerScore> lower;
    for (const CandidateId id : best && best->score ? run.incumbents : std::vector<CandidateId>()) {
        const Candidate* before = run.candidate(id);
        if (id != best->id && before && before->score && !isBanned(run, id)
            && before->score->value > std::max(best->score->value, lower ? lower->scored : 0))
            lower = LowerScore{id, before->score->value, {}};
    }
    if (const auto change = lower ? versusOther(run, *best, lower->before) : std::nullopt; change && change->pairs > 0)
        lower->faster = change->ratio;
    return lower;
}

std::string wordsOf(const LowerScore& lower, CandidateId best)
{
    const std::string had = candidateName(lower.before) + " had " + ratioText(lower.scored) + " at another time";
    return lower.faster && lower.faster->value > 1 ? had + "; side by side " + candidateName(best) + " is "
            + fixedText(100 * (lower.faster->value - 1), 1) + " % faster"
                                                   : had;
}

} // namespace tilewright
