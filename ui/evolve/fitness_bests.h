// SPDX-License-Identifier: GPL-3.0-or-later
// The line of an island's bests along a run: what was known when. It rises with who is better, falls where a ban or a
// reset takes the best away, and keeps what was drawn until then. Pure.
#pragma once

#include "ui/evolve/fitness_look.h"

#include <QVector>
#include <map>
#include <unordered_map>

namespace tilewright::ui {

/// One that may be the best of its island, from a place of the axis on.
struct BestClaim {
    double x = 0, y = 0;
    CandidateId id;
};

struct BestLine {
    QVector<double> x, y; ///< in order of x: from each on the best is that
    bool isHeld = true; ///< somebody is the best at its end
    std::vector<CandidateId> holders; ///< whoever has the value of its end, there
};

/// Made once for all islands of one state of the run.
class BestLines
{
public:
    /// `run` and `places` must outlive it.
    BestLines(const RunState& run, const RunPlaces& places, FitnessValue value);

    /// Where a copy came to its island; noPlace for all others, and for one that was taken back.
    double placeOf(const Candidate& copy) const;
    /// `claims`: of all who are or were there, in any order. Up to `lastX`, or where the last thing happened.
    BestLine of(const Island& island, std::vector<BestClaim> claims, double lastX) const;

private:
    std::vector<BestClaim> guestsOf(const Island& island) const;
    bool isGone(const Island& island, const BestClaim& claim) const;
    void endAtTheBest(const Island& island, std::vector<BestClaim>& claims, double lastX) const;

    const RunState& m_run;
    const RunPlaces& m_places;
    FitnessValue m_value;
    std::unordered_map<std::int64_t, CandidateId> m_ofResult; ///< by the number of the result
    std::map<CandidateId, double> m_cameAt; ///< of copies
    std::map<IslandId, double> m_addedAt; ///< of islands that came while the run went on
    std::vector<std::pair<double, const BanMark*>> m_bans; ///< in their order
    std::vector<std::pair<double, const IslandLever*>> m_resets; ///< those that hold, in their order
};

} // namespace tilewright::ui
