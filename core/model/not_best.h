// SPDX-License-Identifier: GPL-3.0-or-later
// Why a confirmed candidate is not the best: two scores from different times do not say who is faster, the measurement
// side by side with the best of that time does. Pure.
#pragma once

#include "core/model/run_state.h"

namespace tilewright {

struct NotBest {
    enum class Why {
        Banned, ///< by a person: it, or what it is a copy of
        SameProgram, ///< it is the best's program, elsewhere in the lineage
        NotProven, ///< side by side with the best of that time it was not faster beyond the noise
        Overtaken ///< it was the best, until another was proven faster
    };
    Why why = Why::NotProven;
    CandidateId best; ///< now
    CandidateId against; ///< of NotProven: the best of that time; of Banned: whose ban it is
    Verdict verdict = Verdict::None; ///< of NotProven
    std::optional<Interval> ratio; ///< of NotProven: above 1 it was faster

    bool operator==(const NotBest&) const = default;
};

/// None for the best itself, for the seed, and for what is not confirmed.
std::optional<NotBest> whyNotBest(const RunState& run, const Candidate& candidate);

} // namespace tilewright
