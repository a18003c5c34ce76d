// SPDX-License-Identifier: GPL-3.0-or-later
// Who proposes in a session, as the choice of it is titled.
#pragma once

#include "ui/theme/words.h"

#include <utility>

namespace tilewright::ui {

/// Without the file or session that it reads.
inline QString proposerTitle(const QString& proposer)
{
    const QString kind = proposer.section(u':', 0, 0);
    const std::pair<QString, QString> titles[] = {{QStringLiteral("model"), tr("Language models")},
        {QStringLiteral("replay"), tr("Replay")}, {QStringLiteral("mutator"), tr("Built-in mutator")},
        {QStringLiteral("tuner"), tr("Tuner")}, {QStringLiteral("random"), tr("Random edits")}};
    for (const auto& [name, title] : titles)
        if (name == kind)
            return title;
    return kind;
}

} // namespace tilewright::ui
