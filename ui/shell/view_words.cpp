// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/view_words.h"

#include "core/model/review_queue.h"
#include "ui/models/format.h"
#include "ui/prompts/template_tree.h"
#include "ui/theme/words.h"

#include <algorithm>

namespace tilewright::ui {
namespace {

QString candidateWords(const ViewedParts& parts)
{
    const QString all = counted(parts.candidates, tr("%1 candidate"), tr("%1 candidates"));
    return !parts.filters || parts.matching == parts.candidates
        ? all
        : tr("%1, %2").arg(all, counted(parts.matching, tr("%1 matches"), tr("%1 match")));
}

/// Where the one that is read stands among those that wait, as the queue lists them.
QString reviewWords(const RunState& run, CandidateId reviewed)
{
    const std::vector<const Review*> all = reviewsInOrder(run);
    const auto read = std::ranges::find(all, reviewed, &Review::candidate);
    return all.empty()      ? tr("nothing in review")
        : read != all.end() ? tr("%1 of %2 in review").arg(read - all.begin() + 1).arg(all.size())
                            : tr("%1 in review").arg(all.size());
}

} // namespace

QString viewWords(const RunState& run, const ViewedParts& parts)
{
    switch (parts.mode) {
    case Mode::Evolve:
        return candidateWords(parts);
    case Mode::Review:
        return reviewWords(run, parts.reviewed);
    case Mode::Prompts:
        if (parts.openPrompts == std::size_t(0))
            return tr("no prompt waits for a reply");
        if (parts.openPrompts)
            return counted(static_cast<std::int64_t>(*parts.openPrompts), tr("%1 prompt waits for a reply"),
                tr("%1 prompts wait for a reply"));
        return parts.prompt.island
            ? tr("%1, island %2").arg(titleOf(parts.prompt.name), text(islandLetter(parts.prompt.island)))
            : tr("%1, all islands").arg(titleOf(parts.prompt.name));
    case Mode::Devices:
        return counted(static_cast<std::int64_t>(run.work.devices.size()), tr("%1 device has measured"),
            tr("%1 devices have measured"));
    case Mode::Welcome:
    case Mode::Settings:
        break;
    }
    return {};
}

} // namespace tilewright::ui
