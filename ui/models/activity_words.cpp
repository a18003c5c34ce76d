// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/activity_words.h"

#include "ui/models/format.h"
#include "ui/theme/words.h"

namespace tilewright::ui {
namespace {

QString nameOfActivity(Activity activity)
{
    switch (activity) {
    case Activity::None:
        return {};
    case Activity::Created:
        return tr("Created");
    case Activity::Running:
        return tr("Running");
    case Activity::Waiting:
        return tr("Waiting");
    case Activity::Blocked:
        return tr("Blocked");
    case Activity::Pausing:
        return tr("Pausing");
    case Activity::Paused:
        return tr("Paused");
    case Activity::Finished:
        return tr("Finished");
    case Activity::Stopped:
        return tr("Stopped");
    }
    return {};
}

QString awaitedWords(const RunActivity& activity)
{
    switch (activity.awaits) {
    case Awaited::Nothing:
        return {};
    case Awaited::Prompts:
        return counted(activity.count, tr("%1 prompt"), tr("%1 prompts"));
    case Awaited::Replies:
        return counted(activity.count, tr("%1 reply"), tr("%1 replies"));
    case Awaited::Reviews:
        return counted(activity.count, tr("%1 review"), tr("%1 reviews"));
    case Awaited::Machine:
        return tr("busy machine");
    case Awaited::Device:
        return tr("device in use");
    case Awaited::Node:
        return tr("node");
    }
    return {};
}

} // namespace

QString activityWords(const RunActivity& activity)
{
    const QString state = nameOfActivity(activity.activity), awaited = awaitedWords(activity);
    return awaited.isEmpty() ? state : tr("%1: %2").arg(state, awaited);
}

QString shortActivityWords(const RunActivity& activity)
{
    const QString awaited = awaitedWords(activity);
    return awaited.isEmpty() ? nameOfActivity(activity.activity) : awaited;
}

} // namespace tilewright::ui
