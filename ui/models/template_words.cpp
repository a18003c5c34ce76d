// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/template_words.h"

#include "core/prompt/template_use.h"
#include "ui/theme/words.h"

namespace tilewright::ui {

QString templateWords(const RunState& run, const Inquiry& inquiry)
{
    if (inquiry.promptName.empty())
        return tr("unknown");
    const VersionsOfPrompt versions = versionsOfPrompt(run, inquiry);
    QString words = text(inquiry.promptName);
    if (versions.isForOnce)
        words = tr("%1, for this once").arg(words);
    else if (versions.text > 0)
        words = tr("%1 v%2").arg(words).arg(versions.text);
    return versions.system > 0 ? tr("%1, system v%2").arg(words).arg(versions.system) : words;
}

} // namespace tilewright::ui
