// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/review_outlook.h"

#include "core/model/reviews/review_queue.h"
#include "ui/models/display_text.h"
#include "ui/theme/words.h"

#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

bool isSeedMeasured(const RunState& run) { return !run.candidates.empty() && run.candidates[0].isRanked(); }

bool asksSomewhere(const RunState& run)
{
    const auto& policies = run.settings.review;
    return std::ranges::any_of(policies, [](const auto& each) { return each.second.canAsk(); });
}

/// What the run does with the seed.
QString seedWords(const RunState& run)
{
    const Stage stage = run.candidates.empty() ? Stage::Queued : run.candidates[0].stage;
    switch (stage) {
    case Stage::Checking:
        return tr("The task's seed is being checked.");
    case Stage::Screening:
    case Stage::Confirming:
        return tr("The task's seed is being timed.");
    default:
        return tr("The task's seed is being built.");
    }
}

/// Why these ask for no more: "8 pending on each, limit 8", where that differs "A has 3 of 3, B 2 of 2".
QString wordsOfFull(const RunState& run, const std::vector<IslandId>& full)
{
    const auto figures
        = [&run](IslandId island) { return std::pair(waitingOn(run, island), reviewLimitOn(run, island)); };
    const auto [waiting, may] = figures(full.front());
    if (std::ranges::all_of(full, [&](IslandId island) { return figures(island) == std::pair(waiting, may); }))
        return full.size() == 1 ? tr("%1 pending, limit %2").arg(waiting).arg(may)
                                : tr("%1 pending on each, limit %2").arg(waiting).arg(may);
    QStringList each;
    for (const IslandId island : full)
        each << tr("%1 has %2 of %3")
                    .arg(text(islandLetter(island)))
                    .arg(figures(island).first)
                    .arg(figures(island).second);
    return each.join(u", "_s);
}

/// How many may wait, and what happens then.
QString wordsOfLimit(const RunState& run)
{
    const std::vector<IslandId> full = islandsThatWait(run);
    std::int64_t least = 0, most = 0; // of the islands that ask
    bool isOpen = false; // any number may wait
    for (const Island& island : run.islands) {
        if (island.standing != Standing::Living || strictestPolicyOn(run, island.id) == ReviewPolicy::Automatic)
            continue;
        const std::int64_t limit = reviewLimitOn(run, island.id);
        isOpen = isOpen || limit == 0;
        least = most == 0 ? limit : std::min(least, limit);
        most = std::max(most, limit);
    }
    if (isOpen)
        return tr("No review limit: islands keep requesting edits.");
    if (most == 0)
        return {};
    if (full.size() == 1 && !everyIslandWaits(run)) {
        const std::int64_t limit = reviewLimitOn(run, full.front());
        return tr("Island %1 requests no more edits until you decide: %2 pending, limit %3.")
            .arg(text(islandLetter(full.front())))
            .arg(waitingOn(run, full.front()))
            .arg(limit);
    }
    if (everyIslandWaits(run))
        return tr("No island requests more edits until you decide: %1.").arg(wordsOfFull(run, full));
    if (!full.empty()) {
        QStringList letters;
        for (const IslandId island : full)
            letters << text(islandLetter(island));
        return tr("Islands %1 request no more edits until you decide: %2.")
            .arg(letters.join(u", "_s), wordsOfFull(run, full));
    }
    return tr("With %1 pending, an island requests no more edits until you decide.")
        .arg(least == most ? QString::number(most) : tr("%1 to %2").arg(least).arg(most));
}

QString whatComes(const RunState& run)
{
    return asksSomewhere(run) ? tr("Every edit is compared with the seed. The first edits come once the seed is timed; "
                                   "those that the policy at the left covers wait here for your decision.")
                              : tr("Every edit is compared with the seed. The first edits come once the seed is timed; "
                                   "the policy at the left lets all of them be measured without a review.");
}

} // namespace

QString nothingWaits(const Snapshot& snapshot)
{
    const bool isBegun = snapshot.status.sessionOpen && isSeedMeasured(snapshot.run);
    return !snapshot.status.sessionOpen || isBegun ? tr("No pending reviews.") : tr("No pending reviews yet.");
}

QString limitWords(const RunState& run)
{
    const QString words = wordsOfLimit(run);
    const bool isLess = std::ranges::any_of(run.islands, [&run](const Island& island) {
        const std::int64_t limit = reviewLimitOn(run, island.id);
        return island.standing == Standing::Living && limit > 0 && limit < run.settings.reviewLimit;
    });
    return isLess && !words.isEmpty()
        ? words + u' ' + tr("Pending reviews take at most a quarter of the remaining evaluations.")
        : words;
}

QString waitingAtFirst(std::int64_t evaluations, int islands, int limit)
{
    const std::int64_t share = evaluations > 0 && limit > 0 ? shareThatWaits(evaluations, islands, limit) : limit;
    if (share >= limit)
        return {};
    return islands == 1
        ? tr("Initial limit %1: pending reviews take at most a quarter of the remaining evaluations.").arg(share)
        : tr("Initial limit %1 on each: pending reviews take at most a quarter of the remaining evaluations.")
              .arg(share);
}

QString whyNothingWaits(const Snapshot& snapshot, const std::vector<SessionStart>& earlier)
{
    const RunState& run = snapshot.run;
    if (!snapshot.status.sessionOpen)
        return tr("No session is open.\nCandidates that the review policy covers wait here for your decision.");
    if (isSeedMeasured(run))
        return tr("No pending reviews.\nThe policy at the left says which edits need one; all others are measured.");
    if (snapshot.status.phase != events::Phase::Running)
        return tr("No pending reviews yet: the run has no results so far.\nRun, above, times the task's seed first.")
            + u'\n' + whatComes(run);
    // The first line is the time.
    const QString first = firstResultIn(snapshot, earlier).section(u'\n', 0, 0);
    return seedWords(run) + (first.isEmpty() ? QString() : u' ' + first + u'.') + u'\n' + whatComes(run);
}

} // namespace tilewright::ui
