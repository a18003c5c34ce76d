// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/file_watch.h"

#include <QFile>
#include <QFileInfo>
#include <ctime>
#include <sys/stat.h>

namespace tilewright::ui {

using namespace std::chrono_literals;

namespace {
constexpr auto settled = 200ms; ///< without a further step: written to its end
}

FileWatch::FileWatch(QObject* parent)
    : QObject(parent)
{
    m_settling.setSingleShot(true);
    m_settling.setInterval(settled);
    const auto stir = [this] { m_settling.start(); };
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, stir);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, stir);
    connect(&m_settling, &QTimer::timeout, this, &FileWatch::look);
}

void FileWatch::follow(const QString& path)
{
    m_settling.stop();
    if (const QStringList watched = m_watcher.files() + m_watcher.directories(); !watched.isEmpty())
        m_watcher.removePaths(watched);
    m_path = path.isEmpty() ? QString() : QFileInfo(path).absoluteFilePath();
    watch();
    m_sign = signOf(m_path);
}

FileWatch::Sign FileWatch::signOf(const QString& path)
{
    struct stat facts;
    if (path.isEmpty() || ::stat(QFile::encodeName(path).constData(), &facts) != 0)
        return {};
    return {static_cast<std::int64_t>(facts.st_ino), static_cast<std::int64_t>(facts.st_size),
        static_cast<std::int64_t>(facts.st_mtim.tv_sec), static_cast<std::int64_t>(facts.st_mtim.tv_nsec)};
}

void FileWatch::watch()
{
    if (m_path.isEmpty())
        return;
    QString folder = QFileInfo(m_path).path();
    while (!QFileInfo(folder).isDir() && folder != QFileInfo(folder).path()) // where its own would come to be
        folder = QFileInfo(folder).path();
    if (!m_watcher.directories().contains(folder))
        m_watcher.addPath(folder);
    if (!m_watcher.files().contains(m_path) && QFileInfo(m_path).isFile())
        m_watcher.addPath(m_path);
}

void FileWatch::look()
{
    watch(); // one that took the name is another file
    const Sign now = signOf(m_path);
    if (now == m_sign)
        return; // another file of the folder
    m_sign = now;
    Q_EMIT touched();
}

namespace {

constexpr qint64 quickNs = 8'000'000;
constexpr qint64 freeForEach = 4; ///< as much time as the work took

} // namespace

qint64 processorNs()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

qint64 restNs(qint64 tookNs, const QElapsedTimer& ended)
{
    return tookNs > quickNs ? freeForEach * tookNs - ended.nsecsElapsed() : 0;
}

Paced::Paced(std::function<void()> work)
    : m_work(std::move(work))
{
    m_timer.setSingleShot(true);
    QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] { now(); });
}

void Paced::ask()
{
    if (m_timer.isActive())
        return;
    const qint64 left = restNs(m_tookNs, m_ended);
    if (left <= 0)
        now();
    else
        m_timer.start(static_cast<int>(left / 1'000'000) + 1);
}

void Paced::now()
{
    m_timer.stop();
    const qint64 before = processorNs();
    m_work();
    m_tookNs = processorNs() - before;
    m_ended.start();
}

} // namespace tilewright::ui
