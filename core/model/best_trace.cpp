// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/best_trace.h"

#include "core/model/marks.h"

#include <algorithm>

namespace tilewright {
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

} // namespace tilewright
