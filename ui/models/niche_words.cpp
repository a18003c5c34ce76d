// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/niche_words.h"

#include "ui/models/format.h"
#include "ui/theme/words.h"

#include <QStringList>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

QString axisName(const std::string& feature)
{
    const QString term = axisTerm(feature);
    if (feature == "code_bytes")
        return tr("code length");
    return term.contains(u'·') ? tr("piece size") : QString(term).replace(u'_', u' ');
}

QString axisTerm(const std::string& feature)
{
    const QString name = text(feature);
    return name.startsWith(u"tunables:"_s) ? name.mid(9).replace(u'*', u'·') : name;
}

QString axisTerms(const Task& task)
{
    QStringList lines;
    for (const NicheAxis& axis : task.niches)
        if (const QString name = axisName(axis.feature), term = axisTerm(axis.feature); name != term)
            lines << u"%1: %2"_s.arg(name, term);
    return lines.join(u'\n');
}

} // namespace tilewright::ui
