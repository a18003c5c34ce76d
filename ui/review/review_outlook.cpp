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

/// Why these ask for no more: "8 wait on each, 8 may", where that differs "A has 3 of 3, B 2 of 2".
QString wordsOfFull(const RunState& run, const std::vector<IslandId>& full)
{
    const auto figures
        = [&run](IslandId island) { return std::pair(waitingOn(run, island), reviewLimitOn(run, island)); };
    const auto [waiting, may] = figures(full.front());
    if (std::ranges::all_of(full, [&](IslandId island) { return figures(island) == std::pair(waiting, may); }))
        return full.size() == 1 ? tr("%1 wait, %2 may").arg(waiting).arg(may)
                                : tr("%1 wait on each, %2 may").arg(waiting).arg(may);
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
        return tr("Any number may wait: islands go on asking for edits.");
    if (most == 0)
        return {};
    if (full.size() == 1 && !everyIslandWaits(run)) {
        const std::int64_t limit = reviewLimitOn(run, full.front());
        return tr("Island %1 asks for no more edits until you decide: %2 wait, %3 may.")
            .arg(text(islandLetter(full.front())))
            .arg(waitingOn(run, full.front()))
            .arg(limit);
    }
    if (everyIslandWaits(run))
        return tr("No island asks for more edits until you decide: %1.").arg(wordsOfFull(run, full));
    if (!full.empty()) {
        QStringList letters;
        for (const IslandId island : full)
            letters << text(islandLetter(island));
        return tr("Islands %1 ask for no more edits until you decide: %2.")
            .arg(letters.join(u", "_s), wordsOfFull(run, full));
    }
    return tr("With %1 waiting, an island asks for no more until you decide.")
        .arg(least == most ? QString::number(most) : tr("%1 to %2").arg(least).arg(most));
}

QString whatComes(const RunState& run)
{
    return asksSomewhere(run)
        ? tr("Every edit is measured beside the seed. The first ones come once it is timed; those that the policy at "
             "the left asks about wait here for your word.")
        : tr("Every edit is measured beside the seed. The first ones come once it is timed; the policy at the left "
             "lets all of them be measured without your word.");
}

} // namespace

QString nothingWaits(const Snapshot& snapshot)
{
    const bool isBegun = snapshot.status.sessionOpen && isSeedMeasured(snapshot.run);
    return !snapshot.status.sessionOpen || isBegun ? tr("Nothing waits for you.") : tr("Nothing waits for you yet.");
}

QString limitWords(const RunState& run)
{
    const QString words = wordsOfLimit(run);
    const bool isLess = std::ranges::any_of(run.islands, [&run](const Island& island) {
        const std::int64_t limit = reviewLimitOn(run, island.id);
        return island.standing == Standing::Living && limit > 0 && limit < run.settings.reviewLimit;
    });
    return isLess && !words.isEmpty()
        ? words + u' ' + tr("What waits takes no more than a quarter of the evaluations that are left.")
        : words;
}

QString waitingAtFirst(std::int64_t evaluations, int islands, int limit)
{
    const std::int64_t share = evaluations > 0 && limit > 0 ? shareThatWaits(evaluations, islands, limit) : limit;
    if (share >= limit)
        return {};
    return islands == 1
        ? tr("At first %1 may: what waits takes no more than a quarter of the evaluations that are left.").arg(share)
        : tr("At first %1 may on each: what waits takes no more than a quarter of the evaluations that are left.")
              .arg(share);
}

QString whyNothingWaits(const Snapshot& snapshot, const std::vector<SessionStart>& earlier)
{
    const RunState& run = snapshot.run;
    if (!snapshot.status.sessionOpen)
        return tr("No session is open.\nWhere the review policy asks, candidates wait here for your word.");
    if (isSeedMeasured(run))
        return tr("Nothing waits for you.\nThe policy at the left says what does; everything else is measured "
                  "meanwhile.");
    if (snapshot.status.phase != events::Phase::Running)
        return tr("Nothing waits for you yet: the run has no result so far.\nRun, above, times the task's seed first.")
            + u'\n' + whatComes(run);
    // The first line is the time.
    const QString first = firstResultIn(snapshot, earlier).section(u'\n', 0, 0);
    return seedWords(run) + (first.isEmpty() ? QString() : u' ' + first + u'.') + u'\n' + whatComes(run);
}

} // namespace tilewright::ui
