// SPDX-License-Identifier: GPL-3.0-or-later
// Who is the best: of an island among its ranked members, of the run among those that were proven faster side by side.
// Whoever is banned is neither, and is again what it was once the ban is lifted.
#pragma once

#include "core/model/run_state.h"

namespace tilewright {

/// The best of the island's members; none where nobody there is ranked.
void findBest(const RunState& state, Island& island);
/// It was measured again: what its screening said of it on islands falls, or stands, with what is known now, and so
/// does the trace of their bests.
void reviseBest(RunState& state, CandidateId measured);
/// It, or what it is a copy of, was banned: islands and run go on with the next best. That of the run is whom it took
/// the place of: those that were measured beside it were not proven faster than that one. The traces of the bests fall
/// from here on; what they were until now stays.
void loseBest(RunState& state);
/// The ban of that one is lifted: it and its copies are the best again where they would be.
void regainBest(RunState& state, CandidateId candidate);

// How the best of a run came about: which it was after so many evaluations, and what was new in it. Pure.

/// The best of the programs that entered a build among the first so many, by what was proven until now.
struct BestStep {
    std::int64_t evaluations = 0;
    const Candidate* best = nullptr; ///< of the run that was asked about
    /// Against the step before; of the first, all that it has.
    std::vector<std::string> added, removed; ///< moves
    std::vector<std::string> constants; ///< "STAGES = 4", "GROUP 8 → 16"
};

/// Each that was the best, by the number of its evaluation. Banned ones are left out, and who was measured late and
/// proven to be no faster than one that came before.
std::vector<BestStep> bestsOf(const RunState& run);
/// The best after 1, 10, 30, 100, 300, 900, 3000, … evaluations, as far as the run went, and at its end. On the way,
/// who was only screened counts where its interval lies above that of the best that was proven: a confirmation may come
/// long after the evaluation that it is about, and be spared where a better one came meanwhile.
std::vector<BestStep> milestonesOf(const RunState& run);

// Why a confirmed candidate is not the best: two scores from different times do not say who is faster, the measurement
// side by side with the best of that time does. Pure.

struct NotBest {
    enum class Why {
        Banned, ///< by a user: it, or what it is a copy of
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

/// What an island's best is shown as: the best of the run where its program lives there, as the run's header names it,
/// though a score that is not confirmed stands above it; else the island's own. Null where nobody there is ranked.
const Candidate* shownBest(const RunState& run, const Island& island);

/// An earlier best scored higher than the best does now: its score is of another time. Side by side, directly or by way
/// of those between them, the best was faster.
struct LowerScore {
    CandidateId before;
    double scored = 0; ///< its score
    std::optional<Interval> faster; ///< the best over it, by pairs; none where no pairs lead there
    bool operator==(const LowerScore&) const = default;
};
/// Of the earlier bests with a higher score than the run's best, the one with the highest; none where there is none.
std::optional<LowerScore> lowerScoreOf(const RunState& run);
/// "c-0035 had 38.57× at another time; side by side c-0050 is 1.1 % faster".
std::string wordsOf(const LowerScore& lower, CandidateId best);

// Who holds the cells of the islands' grids after a user changed who may.

/// A holder that is banned, or lives on its island no more, gives its cell to the best member there that may hold it.
void releaseCells(RunState& state);
/// The candidate and its copies take the cells that they live in, may hold, and are better for than who holds them.
void claimCells(RunState& state, CandidateId candidate);

} // namespace tilewright
