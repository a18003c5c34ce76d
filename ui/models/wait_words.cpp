// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/wait_words.h"

#include "ui/models/format.h"
#include "ui/theme/words.h"

#include <QDateTime>
#include <algorithm>

namespace tilewright::ui {

QString waitedFor(const std::string& sinceUtc, const QDateTime& now)
{
    constexpr qint64 minute = 60, hour = 60 * minute, day = 24 * hour;
    const QDateTime since = QDateTime::fromString(text(sinceUtc), Qt::ISODateWithMs);
    if (!since.isValid())
        return {};
    const qint64 seconds = std::max<qint64>(since.secsTo(now), 0);
    if (seconds < minute)
        return tr("under a minute");
    if (seconds < hour)
        return tr("%1 min").arg(seconds / minute);
    if (seconds < 2 * day)
        return tr("%1 h %2 min").arg(seconds / hour).arg(seconds % hour / minute);
    return tr("%1 days").arg(seconds / day);
}

QString waitsForYou(std::int64_t count) { return counted(count, tr("%1 waits for you"), tr("%1 wait for you")); }

QString waitWords(const std::string& sinceUtc, const QDateTime& now)
{
    const QString time = waitedFor(sinceUtc, now);
    return time.isEmpty() ? time : tr("waiting %1").arg(time);
}

} // namespace tilewright::ui
