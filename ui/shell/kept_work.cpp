// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/kept_work.h"

#include "ui/models/format.h"

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

struct Draft {
    QString kind, name;
    const Candidate* candidate;
};

Draft draftAt(const QString& place, const RunState& run)
{
    const QString name = place.section(u'/', 1, 1);
    return {place.section(u'/', 0, 0), name, run.candidate(candidateFromName(name.toStdString()))};
}

/// Whether the text can still be given to the engine.
bool isOfUse(const Draft& draft, const RunState& run)
{
    const Review* review = draft.candidate ? run.review(draft.candidate->review) : nullptr;
    if (draft.kind == u"edit"_s || draft.kind == u"reason"_s)
        return review && review->isWaiting() && !review->undone;
    return draft.candidate || (draft.kind != u"own"_s && draft.kind != u"idea"_s);
}

} // namespace

QString wordsOfDraft(const QString& place, const RunState& run)
{
    const auto [kind, name, candidate] = draftAt(place, run);
    return kind == u"template"_s ? QObject::tr("the template “%1” (Prompts)").arg(place.section(u'/', 2))
        : kind == u"edit"_s      ? QObject::tr("your edit of %1 (Review)").arg(name)
        : kind == u"reason"_s    ? QObject::tr("your reason for %1 (Review)").arg(name)
        : kind == u"own"_s       ? QObject::tr("your version of %1").arg(name)
        : kind == u"insights"_s  ? QObject::tr("your part of what the run has learned (Evolve)")
        : kind == u"hints"_s     ? QObject::tr("your hints (Candidate ▸ Hints)")
        : kind == u"idea"_s      ? QObject::tr("your idea for %1").arg(name)
        : kind == u"reply"_s     ? QObject::tr("your reply to prompt %1 (Prompts)").arg(name)
                                 : QString();
}

QStringList keptWork(const Drafts& drafts, const RunState& run)
{
    QStringList kept;
    for (const QString& place : drafts.places()) {
        const QString words = wordsOfDraft(place, run);
        if (!words.isEmpty() && isOfUse(draftAt(place, run), run))
            kept << words;
    }
    return kept;
}

} // namespace tilewright::ui
