// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/done_words.h"

#include "core/model/unmade_island.h"
#include "ui/models/format.h"
#include "ui/theme/words.h"

#include <QStringList>

namespace tilewright::ui {

QString reviewWords(const Review& word, std::size_t count)
{
    const QString what = count == 1 ? nameOfCandidate(word.candidate) : tr("%1 edits").arg(count);
    return word.decision == Decision::Approved ? tr("the approval of %1").arg(what)
        : word.decision == Decision::Rejected  ? tr("the rejection of %1").arg(what)
        : word.decision == Decision::Deferred  ? tr("the deferral of %1").arg(what)
                                               : tr("your edit of %1, %2").arg(what, nameOfCandidate(word.edited));
}

QString reviewDone(const Review& word, std::size_t count)
{
    const QString what = count == 1 ? nameOfCandidate(word.candidate) : tr("%1 edits").arg(count);
    return word.decision == Decision::Approved ? tr("Approved %1").arg(what)
        : word.decision == Decision::Rejected  ? tr("Rejected %1").arg(what)
        : word.decision == Decision::Deferred  ? tr("Deferred %1").arg(what)
                                               : tr("Your edit of %1 is %2").arg(what, nameOfCandidate(word.edited));
}

QString wishDone(const Wish& wish)
{
    const QString name = nameOfCandidate(wish.parent);
    return wish.isForJudge() ? tr("Asked a model for a word on %1").arg(name)
        : wish.idea.empty()
        ? counted(wish.count, tr("Asked for %1 edit of %2"), tr("Asked for %1 edits of %2")).arg(name)
        : tr("The next prompt about %1 tells your idea: %2").arg(name, text(wish.idea).simplified());
}

QString leverDone(const IslandLever& lever)
{
    const QString island = tr("island %1").arg(text(islandLetter(lever.before.id)));
    switch (lever.kind) {
    case LeverKind::Added:
        return lever.before.clonedFrom ? tr("Cloned %1 as %2").arg(text(islandLetter(lever.before.clonedFrom)), island)
                                       : tr("Added %1").arg(island);
    case LeverKind::Steered:
        return tr("Steered %1").arg(island);
    case LeverKind::Reset:
        return tr("Reset %1").arg(island);
    case LeverKind::Migration:
        return tr("Changed the plan of migration");
    case LeverKind::Standing:
        break;
    }
    return lever.standing.into ? tr("Merged %1 into island %2").arg(island, text(islandLetter(lever.standing.into)))
        : lever.standing.standing == Standing::Paused ? tr("Paused %1").arg(island)
                                                      : tr("Resumed %1").arg(island);
}

QString leverThen(const RunState& run, const IslandLever& lever)
{
    if (lever.kind != LeverKind::Added)
        return {};
    const UnderWay under = underWayFor(run, lever.before.id);
    QStringList parts;
    const auto add = [&parts](std::size_t count, const QString& one, const QString& many) {
        if (count > 0)
            parts << counted(static_cast<std::int64_t>(count), one, many);
    };
    add(under.unmeasured.size(), tr("%1 edit that was made for it is withdrawn."),
        tr("%1 edits that were made for it are withdrawn."));
    add(under.measured.size(), tr("%1 that is being measured is finished."),
        tr("%1 that are being measured are finished."));
    add(under.asked.size(), tr("%1 answer still to come is not used."), tr("%1 answers still to come are not used."));
    return parts.join(u' ');
}

} // namespace tilewright::ui
