// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/reply_folder.h"

#include "core/base/text_file.h"

#include <QDateTime>
#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace tilewright {
namespace {

constexpr const char *promptEnding = ".prompt.md", *partEnding = ".prompt.part", *replyEnding = ".reply.md";

std::chrono::milliseconds steadyNow()
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch());
}

/// The highest number of a prompt, reply or taken place in the folder, 0 if there is none.
std::int64_t highestIn(const QDir& folder)
{
    static const QRegularExpression numbered(QStringLiteral("^(\\d{4,9})\\.(prompt\\.md|prompt\\.part|reply\\.md)$"));
    std::int64_t highest = 0;
    for (const QString& name : folder.entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot))
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

/// Makes an empty file that was not there. 0, or errno: EEXIST if somebody else has it.
int takeFile(const QString& path)
{
    const int fd = ::open(QFile::encodeName(path).constData(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return errno;
    ::close(fd);
    return 0;
}

/// Why this file is no reply that can be read; empty if it may be one.
QString objectionTo(const QFileInfo& info)
{
    if (info.isDir())
        return QStringLiteral("it is a folder");
    if (info.isSymLink() && !info.exists())
        return QStringLiteral("it is a link to nothing");
    if (info.exists() && !info.isFile())
        return QStringLiteral("it is no ordinary file");
    if (info.size() > ReplyFolder::largestReply)
        return QStringLiteral("it is larger than %1 MiB").arg(ReplyFolder::largestReply >> 20);
    return {};
}

Settling::Look lookOf(const QFileInfo& info) { return {info.size(), info.lastModified().toMSecsSinceEpoch()}; }

} // namespace

Writers writersOf(const QString& path)
{
    const int fd = ::open(QFile::encodeName(path).constData(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return Writers::Unknown;
    // A read lease is given only while nobody has the file open for writing. Who opens it in the moment that we hold
    // the lease waits until it is given back; the signal for that is one that does nothing.
    ::fcntl(fd, F_SETSIG, SIGURG);
    const bool isFree = ::fcntl(fd, F_SETLEASE, F_RDLCK) == 0;
    const int problem = errno;
    if (isFree)
        ::fcntl(fd, F_SETLEASE, F_UNLCK);
    ::close(fd);
    if (isFree)
        return Writers::None;
    return problem == EAGAIN || problem == EBUSY ? Writers::Some : Writers::Unknown;
}

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
    for (;;) {
        m_lastNumber = std::max(m_lastNumber, highestIn(folder)) + 1;
        const std::string place = QStringLiteral("%1").arg(m_lastNumber, 4, 10, QLatin1Char('0')).toStdString();
        const int problem = takeFile(pathOf(place, partEnding));
        if (problem == 0 && !QFileInfo::exists(pathOf(place, promptEnding)))
            return place;
        if (problem != 0 && problem != EEXIST)
            return folderError(m_folder, QString::fromLocal8Bit(std::strerror(problem)));
        if (problem == 0)
            QFile::remove(pathOf(place, partEnding)); // another run wrote its prompt since we looked
    }
}

Result<void> ReplyFolder::put(const std::string& place, const std::string& prompt)
{
    if (!QDir(m_folder).mkpath(QStringLiteral(".")))
        return folderError(m_folder, QStringLiteral("it is not there and cannot be made"));
    if (!QFileInfo::exists(pathOf(place, promptEnding))) {
        QFile part(pathOf(place, partEnding));
        const QByteArray bytes = QByteArray::fromStdString(prompt);
        const bool written = part.open(QIODevice::WriteOnly) && part.write(bytes) == bytes.size() && part.flush()
            && ::fsync(part.handle()) == 0;
        part.close();
        if (!written || !part.rename(pathOf(place, promptEnding))) // never over a file that is there
            return folderError(m_folder, part.errorString());
    }
    m_awaited.try_emplace(place, m_quiet);
    if (m_watcher.directories().isEmpty())
        m_watcher.addPath(m_folder);
    if (!m_timer.isActive())
        m_timer.start();
    return {};
}

QString ReplyFolder::pathOf(const std::string& place, const char* ending) const
{
    return QDir(m_folder).filePath(QString::fromStdString(place) + QLatin1String(ending));
}

void ReplyFolder::drop(const std::string& place)
{
    m_awaited.erase(place);
    m_complained.erase(place);
}

void ReplyFolder::forget()
{
    m_awaited.clear();
    m_read.clear();
    m_complained.clear();
    m_timer.stop();
}

void ReplyFolder::look()
{
    std::map<std::string, QByteArray> found;
    std::map<std::string, QString> complaints;
    for (auto& [place, settling] : m_awaited) {
        const QFileInfo info(pathOf(place, replyEnding));
        if (!info.exists() && !info.isSymLink()) {
            m_complained.erase(place);
            continue;
        }
        QString reason = objectionTo(info);
        const auto now = steadyNow();
        if (reason.isEmpty()) {
            const bool isSettled = settling.settled(lookOf(info), now);
            if (!isSettled && !settling.stayedEmpty(now))
                continue;
            const Writers writers = writersOf(info.filePath());
            if (writers == Writers::Some || (writers == Writers::Unknown && !settling.stoodLong(now)))
                continue;
            reason = isSettled ? QString() : QStringLiteral("it is empty");
        }
        QFile file(info.filePath());
        if (reason.isEmpty() && !file.open(QIODevice::ReadOnly))
            reason = file.errorString();
        const QByteArray reply = reason.isEmpty() ? file.readAll() : QByteArray();
        if (reason.isEmpty() && file.error() != QFileDevice::NoError)
            reason = file.errorString();
        const auto text = textOf(std::string_view(reply.constData(), static_cast<std::size_t>(reply.size())), "it");
        if (reason.isEmpty() && !text)
            reason = QString::fromStdString(text.error().line());
        if (reason.isEmpty())
            found.emplace(place, QByteArray::fromStdString(*text));
        else if (std::exchange(m_complained[place], reason) != reason)
            complaints.emplace(place, reason);
    }
    for (const auto& [place, reason] : complaints)
        Q_EMIT unreadable(place, reason);
    lookAtRead();
    for (const auto& [place, reply] : found) {
        m_read[place] = {m_awaited.at(place).last(), steadyNow() + watchAfter * m_quiet};
        m_awaited.erase(place);
        m_complained.erase(place);
    }
    if (m_awaited.empty() && m_read.empty())
        m_timer.stop();
    for (const auto& [place, reply] : found)
        Q_EMIT arrived(place, reply);
}

void ReplyFolder::lookAtRead()
{
    std::vector<std::string> changed;
    std::erase_if(m_read, [&](const auto& each) {
        const QFileInfo info(pathOf(each.first, replyEnding));
        const bool isChanged = info.exists() && lookOf(info) != each.second.look;
        if (isChanged)
            changed.push_back(each.first);
        return isChanged || !info.exists() || steadyNow() >= each.second.until;
    });
    for (const std::string& place : changed)
        Q_EMIT changedLater(place);
}

} // namespace tilewright
