// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/token_words.h"

#include "ui/models/format.h"
#include "ui/theme/words.h"

namespace tilewright::ui {

using namespace Qt::StringLiterals;

QString readWords(const TokenUsage& usage)
{
    const QString read = tr("%1 read").arg(grouped(usage.read()));
    if (usage.cacheRead > 0 && usage.cacheWrite > 0)
        return tr("%1, of them %2 from a cache and %3 into one")
            .arg(read, grouped(usage.cacheRead), grouped(usage.cacheWrite));
    if (usage.cacheRead > 0)
        return tr("%1, of them %2 from a cache").arg(read, grouped(usage.cacheRead));
    return usage.cacheWrite > 0 ? tr("%1, of them %2 into a cache").arg(read, grouped(usage.cacheWrite)) : read;
}

QString writtenWords(const TokenUsage& usage)
{
    const QString written = tr("%1 written").arg(grouped(usage.written()));
    return usage.reasoning > 0 ? tr("%1, of them %2 reasoning").arg(written, grouped(usage.reasoning)) : written;
}

QString tokenWords(const TokenUsage& usage)
{
    return tr("%1 tokens: %2; %3").arg(grouped(usage.total()), readWords(usage), writtenWords(usage));
}

} // namespace tilewright::ui
