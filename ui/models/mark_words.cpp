// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/mark_words.h"

#include "ui/models/format.h"
#include "ui/theme/words.h"

#include <QStringList>

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

} // namespace tilewright::ui
