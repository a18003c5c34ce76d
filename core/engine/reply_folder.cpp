// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/reply_folder.h"

#include <QDateTime>
#include <QDeadlineTimer>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSaveFile>

namespace tilewright {
namespace {

std::chrono::milliseconds steadyNow()
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch());
}

/// The highest number of a prompt or reply in the folder, 0 if there is none.
std::int64_t highestIn(const QDir& folder)
{
    static const QRegularExpression numbered(QStringLiteral("^(\\d{4,9})\\.(prompt|reply)\\.md$"));
    std::int64_t highest = 0;
    for (const QString& name : folder.entryList(QDir::Files))
        if (const auto match = numbered.match(name); match.hasMatch())
            highest = std::max<std::int64_t>(highest, match.captured(1).toLongLong());
    return highest;
}

std::unexpected<Error> folderError(const QString& folder, const QString& reason)
{
    return fail("manual/folder",
        "the folder " + folder.toStdString() + " for prompts and replies cannot be used: " + reason.toStdString(),
        "make room in it or let it be written to, then go on");
}

} // namespace

bool Settling::settled(const Look& look, std::chrono::milliseconds now)
{
    if (look != m_last) {
        m_last = look;
        m_since = now;
        return false;
    }
    return look.bytes > 0 && now - m_since >= m_quiet;
}

ReplyFolder::ReplyFolder(const QString& folder, std::chrono::milliseconds quiet)
    : m_folder(folder)
    , m_quiet(quiet)
{
    m_timer.setInterval(std::max(std::chrono::milliseconds(20), quiet / 3));
    connect(&m_timer, &QTimer::timeout, this, &ReplyFolder::look);
    // The watcher only hastens the first look; where it does not work (network folders) the timer suffices.
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, &ReplyFolder::look);
}

Result<std::string> ReplyFolder::reserve()
{
    QDir folder(m_folder);
    if (!folder.mkpath(QStringLiteral(".")))
        return folderError(m_folder, QStringLiteral("it is not there and cannot be made"));
    m_lastNumber = std::max(m_lastNumber, highestIn(folder)) + 1;
    return QStringLiteral("%1").arg(m_lastNumber, 4, 10, QLatin1Char('0')).toStdString();
}

Result<void> ReplyFolder::put(const std::string& place, const std::string& prompt)
{
    const QDir folder(m_folder);
    if (!folder.mkpath(QStringLiteral(".")))
        return folderError(m_folder, QStringLiteral("it is not there and cannot be made"));
    const QString path = folder.filePath(QString::fromStdString(place) + QStringLiteral(".prompt.md"));
    if (!QFileInfo::exists(path)) {
        QSaveFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(QByteArray::fromStdString(prompt)) < 0 || !file.commit())
            return folderError(m_folder, file.errorString());
    }
    m_awaited.try_emplace(place, m_quiet);
    if (m_watcher.directories().isEmpty())
        m_watcher.addPath(m_folder);
    if (!m_timer.isActive())
        m_timer.start();
    return {};
}

void ReplyFolder::drop(const std::string& place)
{
    m_awaited.erase(place);
    m_complained.erase(place);
}

void ReplyFolder::forget()
{
    m_awaited.clear();
    m_complained.clear();
    m_timer.stop();
}

void ReplyFolder::look()
{
    std::map<std::string, QByteArray> found;
    for (auto& [place, settling] : m_awaited) {
        const QString path = QDir(m_folder).filePath(QString::fromStdString(place) + QStringLiteral(".reply.md"));
        QFileInfo info(path);
        if (!info.isFile() || !settling.settled({info.size(), info.lastModified().toMSecsSinceEpoch()}, steadyNow()))
            continue;
        QFile file(path);
        QString reason;
        if (info.size() > largestReply)
            reason = QStringLiteral("it is larger than %1 MiB").arg(largestReply >> 20);
        else if (!file.open(QIODevice::ReadOnly))
            reason = file.errorString();
        if (reason.isEmpty())
            found.emplace(place, file.readAll());
        else if (std::exchange(m_complained[place], reason) != reason)
            Q_EMIT unreadable(place, reason);
    }
    for (const auto& [place, reply] : found) {
        m_awaited.erase(place);
        m_complained.erase(place);
    }
    if (m_awaited.empty())
        m_timer.stop();
    for (const auto& [place, reply] : found)
        Q_EMIT arrived(place, reply);
}

} // namespace tilewright
