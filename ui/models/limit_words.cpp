// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/limit_words.h"

#include "ui/models/format.h"
#include "ui/theme/words.h"

#include <QStringList>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

QString figureOf(const ServerLimit& limit)
{
    const QString kind = text(limit.kind);
    return limit.of >= 0 ? tr("%1 of %2 %3").arg(grouped(limit.left), grouped(limit.of), kind)
                         : u"%1 %2"_s.arg(grouped(limit.left), kind);
}

} // namespace

QString limitWords(const std::vector<ServerLimit>& limits)
{
    QStringList words;
    for (const ServerLimit& limit : limits)
        words << figureOf(limit);
    return words.isEmpty() ? QString() : tr("%1 left").arg(words.join(u", "_s));
}

QString limitLines(const std::vector<ServerLimit>& limits)
{
    QStringList lines;
    for (const ServerLimit& limit : limits) {
        QString line = tr("its server: %1 left").arg(figureOf(limit));
        if (!limit.refillsUtc.empty())
            line += tr(", all again at %1").arg(clockTime(limit.refillsUtc));
        lines << line + tr(" (read at %1)").arg(clockTime(limit.readUtc));
    }
    return lines.join(u'\n');
}

} // namespace tilewright::ui
