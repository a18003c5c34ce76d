// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/parent_change.h"

#include <cmath>

namespace tilewright {

bool ParentChange::isWithinNoise() const
{
    return std::abs(ratio.value - 1) <= noise || (ratio.lo <= 1 && ratio.hi >= 1);
}

std::optional<ParentChange> versusParent(const RunState& run, const Candidate& candidate)
{
    if (candidate.parents.empty() || !candidate.isRanked())
        return std::nullopt;
    ParentChange change;
    change.parent = candidate.parents.front();
    const Evaluation* evaluation = run.evaluation(candidate.latest);
    const double measured = evaluation ? evaluation->result.noiseFloor : 0;
    change.noise = noiseMargin(measured > 0 ? measured : run.noiseFloor);
    if (evaluation && evaluation->against == change.parent && evaluation->result.versusIncumbent) {
        change.ratio = *evaluation->result.versusIncumbent;
        change.paired = true;
        return change;
    }
    const Candidate* parent = run.candidate(change.parent);
    if (!parent || !parent->isRanked() || parent->score->value <= 0 || candidate.score->value <= 0)
        return std::nullopt;
    const auto width = [](const Interval& i) { return i.lo > 0 && i.hi > 0 ? std::log(i.hi / i.lo) / 2 : 0.0; };
    // Each of the two was timed beside something else and in its own hour: what the device may have drifted adds up.
    const double drift = std::log1p(change.noise);
    const double half = std::hypot(width(*candidate.score), width(*parent->score), std::hypot(drift, drift));
    const double ratio = candidate.score->value / parent->score->value;
    change.ratio = {ratio, ratio * std::exp(-half), ratio * std::exp(half)};
    return change;
}

} // namespace tilewright
