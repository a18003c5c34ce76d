// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/view_words.h"

#include "core/model/run_state.h"
#include "ui/models/format.h"
#include "ui/prompts/template_tree.h"
#include "ui/theme/words.h"

namespace tilewright::ui {
namespace {

QString candidateWords(const ViewedParts& parts)
{
    const QString all = counted(parts.candidates, tr("%1 candidate"), tr("%1 candidates"));
    return parts.matching == parts.candidates
        ? all
        : tr("%1, %2").arg(all, counted(parts.matching, tr("%1 matches"), tr("%1 match")));
}

/// Where the one that is read stands among those that wait, oldest first and the deferred behind them.
QString reviewWords(const RunState& run, CandidateId reviewed)
{
    int before = 0, all = 0;
    bool waits = false;
    for (const Decision wanted : {Decision::Waiting, Decision::Deferred})
        for (const Review& review : run.reviews) {
            if (review.decision != wanted || review.undone)
                continue;
            ++all;
            waits = waits || review.candidate == reviewed;
            before += !waits;
        }
    return all == 0 ? tr("nothing in review")
        : waits     ? tr("%1 of %2 in review").arg(before + 1).arg(all)
                    : tr("%1 in review").arg(all);
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
