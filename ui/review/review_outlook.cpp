// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/review_outlook.h"

#include "ui/models/format.h"
#include "ui/theme/words.h"

#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

bool isSeedMeasured(const RunState& run) { return !run.candidates.empty() && run.candidates[0].isRanked(); }

bool asksSomewhere(const RunState& run)
{
    const auto& policies = run.settings.review;
    return std::ranges::any_of(policies, [](const auto& each) { return each.second != ReviewPolicy::Automatic; });
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
