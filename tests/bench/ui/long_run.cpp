// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/ui/long_run.h"

#include "core/base/random.h"

#include <algorithm>

namespace tilewright::bench {

RunState longRun(int candidates, std::uint64_t seed)
{
    constexpr int islands = 4;
    constexpr std::size_t living = 24;
    RunState run;
    run.lastSeq = candidates;
    for (int i = 1; i <= islands; ++i) {
        Island island;
        island.id = {i};
        island.name = "island";
        run.islands.push_back(island);
    }
    for (int number = 1; number <= candidates; ++number) {
        CounterRandom random(seed, 1, static_cast<std::uint64_t>(number));
        Candidate made;
        made.id = {number};
        Island& home = run.islands[random.below(islands)];
        made.island = home.id;
        const auto member = [&](const Island& from) {
            return from.members.empty() ? CandidateId{1} : from.members[random.below(from.members.size())];
        };
        if (number > 1) {
            made.parents = {member(home)};
            const double fate = random.uniform();
            if (fate < 0.01) {
                made.parents = {member(run.islands[random.below(islands)])};
                made.migrated = true;
            } else if (fate < 0.2) {
                made.parents.push_back(member(run.islands[random.below(islands)]));
            }
            for (const CandidateId parent : made.parents)
                made.generation = std::max(made.generation, run.candidate(parent)->generation + 1);
        }
        made.stage = Stage::Done;
        const double fate = number == 1 ? 1 : random.uniform();
        made.outcome = fate < 0.06 ? Outcome::BuildFailed
            : fate < 0.1           ? Outcome::Refused
            : fate < 0.13          ? Outcome::RunFailed
                                   : Outcome::Ranked;
        if (made.outcome == Outcome::Ranked) {
            const Candidate* parent = made.parents.empty() ? nullptr : run.candidate(made.parents.front());
            const double score
                = (parent && parent->score ? parent->score->value : 1) * (0.97 + 0.07 * random.uniform());
            made.score = Interval{std::min(score, 60.0), score * 0.99, score * 1.01};
            if (home.members.size() >= living)
                home.members.erase(home.members.begin() + static_cast<std::ptrdiff_t>(random.below(living)));
            // A user's run is as deep as its islands are patient: most newcomers do not stay.
            if (home.members.size() < living || random.uniform() < 0.1)
                home.members.push_back(made.id);
        }
        made.evaluationNumber = made.resultNumber = number;
        run.candidates.push_back(made);
        if (!run.incumbent)
            run.incumbent = made.id;
    }
    return run;
}

} // namespace tilewright::bench
