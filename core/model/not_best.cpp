// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/not_best.h"

namespace tilewright {
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

} // namespace tilewright
