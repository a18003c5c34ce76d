// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/proposer/tuning.h"

#include "core/source/program_text.h"

#include <algorithm>

namespace tilewright {
namespace {

constexpr std::int64_t fewestVersions = 3, mostWaiting = 2, leastPatience = 8;

} // namespace

std::int64_t legalAssignments(std::string_view text, std::int64_t most)
{
    const std::vector<Tunable> tunables = tunablesOf(text);
    if (tunables.empty())
        return 1;
    const Constraints constraints(text);
    std::vector<std::size_t> chosen(tunables.size(), 0);
    std::int64_t legal = 0;
    for (std::int64_t looked = 0; looked < 4 * most && legal < most; ++looked) {
        Tunables values;
        for (std::size_t i = 0; i < tunables.size(); ++i)
            values[tunables[i].name] = tunables[i].choices[chosen[i]];
        legal += constraints.hold(values) ? 1 : 0;
        std::size_t digit = 0;
        while (digit < chosen.size() && ++chosen[digit] == tunables[digit].choices.size())
            chosen[digit++] = 0;
        if (digit == chosen.size())
            break;
    }
    return std::max<std::int64_t>(legal, 1);
}

std::int64_t tuningBudget(std::int64_t legal, int most)
{
    const std::int64_t share = std::max(fewestVersions, legal / 3 - 1);
    return std::min({static_cast<std::int64_t>(most), share, legal - 1});
}

bool isTuned(const TuningRecord& record, std::int64_t legal, int most)
{
    // The first versions are drawn at random, and the model takes as many again to be of use.
    const std::int64_t budget = tuningBudget(legal, most), patience = std::max(leastPatience, budget / 2);
    return record.isExhausted || record.tried >= budget || record.sinceBest >= patience;
}

bool wantsVersion(const TuningRecord& record, std::int64_t legal, int most)
{
    return !isTuned(record, legal, most) && record.waiting < mostWaiting;
}

} // namespace tilewright
