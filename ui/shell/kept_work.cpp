// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/kept_work.h"

#include "ui/models/format.h"

namespace tilewright::ui {

using namespace Qt::StringLiterals;

QStringList keptWork(const Drafts& drafts, const RunState& run)
{
    QStringList kept;
    for (const QString& place : drafts.places()) {
        const QString kind = place.section(u'/', 0, 0), name = place.section(u'/', 1, 1);
        const Candidate* candidate = run.candidate(candidateFromName(name.toStdString()));
        const Review* review = candidate ? run.review(candidate->review) : nullptr;
        if (kind == u"template"_s)
            kept << QObject::tr("the template “%1” (Prompts)").arg(place.section(u'/', 2));
        else if (kind == u"edit"_s && review && review->isWaiting() && !review->undone)
            kept << QObject::tr("your edit of %1 (Review)").arg(name);
        else if (kind == u"own"_s && candidate)
            kept << QObject::tr("your version of %1").arg(name);
        else if (kind == u"insights"_s)
            kept << QObject::tr("your part of what the run has learned (Evolve)");
        else if (kind == u"reply"_s)
            kept << QObject::tr("your reply to prompt %1 (Prompts)").arg(name);
    }
    return kept;
}

} // namespace tilewright::ui
