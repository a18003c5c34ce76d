// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/fitness_bests.h"

#include "ui/evolve/fitness_data.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace tilewright::ui {
namespace {

/// One who may be the best, and what holds of it so far.
struct Claimant {
    BestClaim claim;
    int bans = 0;
    bool isThere = false;

    bool counts() const { return isThere && bans == 0; }
};

/// From there on the best is that, or nobody.
void goOn(BestLine& line, double x, const std::optional<double>& best)
{
    line.isHeld = best.has_value();
    if (line.x.isEmpty() ? !best : best && line.y.last() == *best)
        return;
    line.x.append(x);
    line.y.append(best.value_or(line.y.isEmpty() ? 0 : line.y.last()));
}

bool isBetter(FitnessValue value, double one, double other)
{
    return value == FitnessValue::Time ? one < other : one > other;
}

/// A ban that ended before anything came is no fall.
void forgetFall(BestLine& line, FitnessValue value)
{
    const qsizetype size = line.x.size();
    if (size < 3 || line.x[size - 2] != line.x[size - 1] || line.y[size - 3] != line.y[size - 1]
        || !isBetter(value, line.y[size - 1], line.y[size - 2]))
        return;
    line.x.resize(size - 2);
    line.y.resize(size - 2);
}

bool stays(const IslandLever& reset, CandidateId id) { return std::ranges::find(reset.kept, id) != reset.kept.end(); }

} // namespace

BestLines::BestLines(const RunState& run, const RunPlaces& places, FitnessValue value)
    : m_run(run)
    , m_places(places)
    , m_value(value)
{
    for (const Candidate& candidate : run.candidates)
        if (candidate.resultNumber > 0)
            m_ofResult.emplace(candidate.resultNumber, candidate.id);
    for (const MigrationMark& came : run.migrations)
        m_cameAt[came.copy] = places.of(came.evaluations, came.runNs);
    std::map<std::int64_t, double> changedAt; // by the number of the event
    for (const RunChange& change : run.changes)
        changedAt[change.seq] = places.of(change.evaluations, change.runNs);
    const auto placeOfEvent = [&changedAt](std::int64_t seq) {
        const auto found = changedAt.find(seq);
        return found == changedAt.end() ? noPlace : found->second;
    };
    for (const Placement& placed : run.placements)
        if (const Candidate* copy = run.candidate(placed.copy))
            m_cameAt[placed.copy] = placeOfEvent(copy->seq);
    for (const BanMark& ban : run.bans)
        if (const double x = places.of(ban.evaluations, ban.runNs); x >= 0)
            m_bans.emplace_back(x, &ban);
    for (const IslandLever& lever : run.levers)
        if (const double x = placeOfEvent(lever.seq); lever.kind == LeverKind::Added)
            m_addedAt[lever.before.id] = x;
        else if (lever.kind == LeverKind::Reset && !lever.undone && x >= 0)
            m_resets.emplace_back(x, &lever);
}

double BestLines::placeOf(const Candidate& copy) const
{
    const auto came = m_cameAt.find(copy.id);
    if (copy.takenBack || came == m_cameAt.end())
        return noPlace;
    return m_places.axis() == RunAxis::Generation ? copy.generation : came->second;
}

bool BestLines::isGone(const Island& island, const BestClaim& claim) const
{
    return isBanned(m_run, claim.id) || std::ranges::any_of(m_resets, [&](const auto& reset) {
        return reset.second->before.id == island.id && claim.x <= reset.first && !stays(*reset.second, claim.id);
    });
}

/// The line ends at what the island's best is worth today: what a screening told of it, or of others before it, and a
/// confirmation took back is a dot, and no step.
void BestLines::endAtTheBest(const Island& island, std::vector<BestClaim>& claims, double lastX) const
{
    const Candidate* best = m_run.candidate(island.best);
    const auto now = best ? fitnessOf(m_run, *best, FitnessValue::Score) : std::nullopt;
    if (!now || claims.empty())
        return;
    std::erase_if(claims, [&](const BestClaim& claim) { return claim.y > *now && !isGone(island, claim); });
    if (std::ranges::none_of(claims, [&](const BestClaim& claim) { return claim.y == *now && !isGone(island, claim); }))
        claims.push_back({lastX, *now, best->id});
}

/// Who lives or was the best there without a copy: the seed, which founds all islands that are there at the start, and
/// what comes late of an island that was merged into this one.
std::vector<BestClaim> BestLines::guestsOf(const Island& island) const
{
    std::set<CandidateId> guests(island.members.begin(), island.members.end());
    for (const auto& [results, best] : island.bestTrace) {
        const auto came = m_ofResult.find(results);
        const Candidate* candidate = came == m_ofResult.end() ? nullptr : m_run.candidate(came->second);
        const bool isCopied = std::ranges::any_of(m_run.migrations,
            [&, number = results](const auto& copy) { return copy.to == island.id && copy.evaluations == number; });
        if (candidate && candidate->score && candidate->score->value == best && !isCopied)
            guests.insert(candidate->id);
    }
    std::vector<BestClaim> claims;
    for (const CandidateId id : guests) {
        const Candidate* guest = m_run.candidate(id);
        if (!guest || guest->island == island.id || guest->migrated)
            continue;
        const auto added = m_addedAt.find(island.id);
        const double x = m_places.of(*guest), since = added == m_addedAt.end() ? x : std::max(x, added->second);
        if (const auto y = fitnessOf(m_run, *guest, m_value); y && x >= 0)
            claims.push_back({since, *y, id});
    }
    return claims;
}

BestLine BestLines::of(const Island& island, std::vector<BestClaim> claims, double lastX) const
{
    if (!island.unmade)
        std::ranges::copy(guestsOf(island), std::back_inserter(claims));
    if (m_value == FitnessValue::Score && !island.unmade)
        endAtTheBest(island, claims, lastX);
    if (m_places.axis() == RunAxis::Generation) // where a ban has no place
        std::erase_if(claims, [this](const BestClaim& claim) { return isBanned(m_run, claim.id); });
    std::ranges::stable_sort(claims, {}, &BestClaim::x);
    std::vector<Claimant> all;
    for (const BestClaim& claim : claims)
        all.push_back({claim});
    // Whatever happened, in order of its place: who came first, then bans and resets.
    struct Turn {
        double x = 0;
        Claimant* comes = nullptr;
        const BanMark* ban = nullptr;
        const IslandLever* reset = nullptr;
    };
    std::vector<Turn> turns;
    for (Claimant& one : all)
        turns.push_back({one.claim.x, &one, nullptr, nullptr});
    for (const auto& [x, ban] : m_bans)
        turns.push_back({x, nullptr, ban, nullptr});
    for (const auto& [x, reset] : m_resets)
        if (reset->before.id == island.id)
            turns.push_back({x, nullptr, nullptr, reset});
    std::ranges::stable_sort(turns, {}, &Turn::x);

    BestLine line;
    std::optional<double> best;
    const auto offer = [&](const Claimant& one) {
        if (one.counts() && (!best || isBetter(m_value, one.claim.y, *best)))
            best = one.claim.y;
    };
    for (const Turn& turn : turns) {
        if (turn.comes) {
            turn.comes->isThere = true;
            offer(*turn.comes);
        } else {
            for (Claimant& one : all)
                if (turn.reset)
                    one.isThere = one.isThere && stays(*turn.reset, one.claim.id);
                else if (isCopyOf(m_run, one.claim.id, turn.ban->candidate))
                    one.bans += turn.ban->isLifted ? -1 : 1;
            best.reset();
            for (const Claimant& one : all)
                offer(one);
        }
        goOn(line, turn.x, best);
        if (turn.ban && turn.ban->isLifted)
            forgetFall(line, m_value);
    }
    for (const Claimant& one : all)
        if (one.counts() && best && one.claim.y == *best)
            line.holders.push_back(one.claim.id);
    if (line.isHeld && !line.x.isEmpty() && line.x.last() < lastX) {
        line.x.append(lastX);
        line.y.append(line.y.last());
    }
    return line;
}

} // namespace tilewright::ui
