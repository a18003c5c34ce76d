// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/activity_words.h"

#include "core/prompt/template_use.h"
#include "ui/models/display_text.h"
#include "ui/theme/words.h"

#include <QDateTime>
#include <QStringList>
#include <algorithm>

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

QString waitsForYou(std::int64_t count) { return counted(count, tr("%1 pending review"), tr("%1 pending reviews")); }

QString waitWords(const std::string& sinceUtc, const QDateTime& now)
{
    const QString time = waitedFor(sinceUtc, now);
    return time.isEmpty() ? time : tr("waiting %1").arg(time);
}

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
        const QString figure = figureOf(limit), read = clockTime(limit.readUtc);
        lines << (limit.refillsUtc.empty() ? tr("server limit: %1 left (read at %2)").arg(figure, read)
                                           : tr("server limit: %1 left, full again at %2 (read at %3)")
                                                 .arg(figure, clockTime(limit.refillsUtc), read));
    }
    return lines.join(u'\n');
}

QString axisName(const std::string& feature)
{
    const QString term = axisTerm(feature);
    if (feature == "code_bytes")
        return tr("code length");
    return term.contains(u'·') ? tr("tile size") : QString(term).replace(u'_', u' ');
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

QString templateWords(const RunState& run, const ModelRequest& modelRequest)
{
    if (modelRequest.promptName.empty())
        return tr("unknown");
    const VersionsOfPrompt versions = versionsOfPrompt(run, modelRequest);
    QString words = text(modelRequest.promptName);
    if (versions.isForOnce)
        words = tr("%1, used once").arg(words);
    else if (versions.text > 0)
        words = tr("%1 v%2").arg(words).arg(versions.text);
    return versions.system > 0 ? tr("%1, system v%2").arg(words).arg(versions.system) : words;
}

} // namespace tilewright::ui
