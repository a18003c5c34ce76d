// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/mark_words.h"

#include "ui/models/format.h"
#include "ui/theme/words.h"

#include <QStringList>
#include <optional>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

QString markWords(const RunState& run, const Candidate& candidate)
{
    const Marks& marks = run.marksOf(candidate.id);
    QStringList words;
    if (candidate.disputed)
        words << tr("disputed");
    if (marks.starred)
        words << tr("starred");
    if (marks.pinned)
        words << tr("pinned");
    if (marks.banned)
        words << tr("banned");
    else if (const CandidateId original = banOf(run, candidate.id))
        words << tr("banned with %1").arg(nameOfCandidate(original));
    if (marks.boost != 1)
        words << tr("boosted ×%1").arg(marks.boost);
    for (const std::string& tag : marks.tags)
        words << text(tag);
    if (!marks.note.empty())
        words << tr("note");
    return words.join(u" · "_s);
}

namespace {

struct LastMark {
    Marks before, now;
};

std::optional<LastMark> lastMark(const RunState& run, CandidateId id)
{
    const auto held = run.marks.find(id);
    if (held == run.marks.end() || held->second.empty())
        return std::nullopt;
    const std::vector<Marking>& all = held->second;
    return LastMark{all.size() > 1 ? all[all.size() - 2].marks : Marks{}, all.back().marks};
}

} // namespace

namespace {

/// What may be said of the last mark, each with the candidate's name in it; of a boost with its factor as well.
struct MarkForms {
    QString banned, unbanned, pinned, unpinned, starred, unstarred, boosted, tagged, noted;
    QString bannedAndUnpinned, pinnedAndUnbanned; ///< the newer of the two takes the other away
};

QString formOf(const LastMark& last, CandidateId id, const MarkForms& forms)
{
    const auto& [before, now] = last;
    const QString name = nameOfCandidate(id);
    if (now.banned != before.banned && now.pinned != before.pinned)
        return (now.banned ? forms.bannedAndUnpinned : forms.pinnedAndUnbanned).arg(name);
    if (now.banned != before.banned)
        return (now.banned ? forms.banned : forms.unbanned).arg(name);
    if (now.pinned != before.pinned)
        return (now.pinned ? forms.pinned : forms.unpinned).arg(name);
    if (now.starred != before.starred)
        return (now.starred ? forms.starred : forms.unstarred).arg(name);
    if (now.boost != before.boost)
        return forms.boosted.arg(name, QString::number(now.boost));
    return (now.tags != before.tags ? forms.tagged : forms.noted).arg(name);
}

} // namespace

QString lastMarkWords(const RunState& run, CandidateId id)
{
    const auto last = lastMark(run, id);
    return last ? formOf(*last, id,
               {tr("ban of %1"), tr("lifting the ban of %1"), tr("pin of %1"), tr("unpinning %1"), tr("star of %1"),
                   tr("taking the star from %1"), tr("boost ×%2 of %1"), tr("tags of %1"), tr("note of %1"),
                   tr("ban of %1, which was pinned"), tr("pin of %1, which was banned")})
                : tr("the last mark");
}

QString lastMarkDone(const RunState& run, CandidateId id)
{
    const auto last = lastMark(run, id);
    return last ? formOf(*last, id,
               {tr("Banned %1"), tr("Lifted the ban of %1"), tr("Pinned %1"), tr("Unpinned %1"), tr("Starred %1"),
                   tr("Took the star from %1"), tr("Boosted %1 ×%2"), tr("Changed the tags of %1"),
                   tr("Changed the note of %1"), tr("Banned %1, no longer pinned"), tr("Pinned %1, no longer banned")})
                : QString();
}

QString marksThenWords(const RunState& run, CandidateId id)
{
    const auto last = lastMark(run, id);
    if (!last)
        return {};
    const auto& [before, now] = *last;
    const QString name = nameOfCandidate(id);
    if (now.banned != before.banned && before.banned)
        return tr("%1 is banned again.").arg(name);
    if (now.pinned != before.pinned)
        return before.pinned ? tr("%1 is pinned again.").arg(name) : QString();
    return before.starred && !now.starred ? tr("%1 has its star again.").arg(name) : QString();
}

QString undoMarkWords(const RunState& run, CandidateId id) { return tr("&Undo %1").arg(lastMarkWords(run, id)); }

} // namespace tilewright::ui
