// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/settings.h"

#include "core/base/folders.h"
#include "ui/theme/theme.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QSettings>
#include <algorithm>

namespace tilewright::ui {
namespace {

using namespace Qt::StringLiterals;

const QString themeKey = u"look/theme"_s, recentKey = u"session/recent"_s, layoutKey = u"layout/%1"_s,
              packsKey = u"task/folders"_s, hiddenPacksKey = u"task/hidden"_s, fontKey = u"look/font_points"_s,
              motionKey = u"look/reduced_motion"_s, folderKey = u"session/folder"_s, keptKey = u"session/kept"_s,
              gpuKey = u"device/gpu"_s, asDesktop = u"system"_s;

} // namespace

Settings::Settings(QObject* parent)
    : QObject(parent)
    , m_store(std::make_unique<QSettings>(QSettings::IniFormat, QSettings::UserScope, u"tilewright"_s, u"tilewright"_s))
    , m_modelsFile(QString::fromStdString((dataFolder() / "models/models.json").string()))
    , m_draftsFolder(QString::fromStdString((dataFolder() / "drafts").string()))
{
}

Settings::Settings(const QString& file, QObject* parent)
    : QObject(parent)
    , m_store(std::make_unique<QSettings>(file, QSettings::IniFormat))
    , m_modelsFile(QFileInfo(file).dir().filePath(u"models.json"_s))
    , m_draftsFolder(QFileInfo(file).dir().filePath(u"drafts"_s))
{
}

Settings::~Settings() = default;

std::optional<ThemeKind> Settings::chosenTheme() const
{
    const QString name = m_store->value(themeKey).toString();
    return name == asDesktop ? std::nullopt : std::optional(themeFromName(name).value_or(ThemeKind::Dark));
}

ThemeKind Settings::theme() const { return chosenTheme().value_or(Theme::instance().desktopKind()); }

void Settings::setTheme(std::optional<ThemeKind> kind)
{
    m_store->setValue(themeKey, kind ? nameOf(*kind) : asDesktop);
    applyLook();
    Q_EMIT lookChanged();
}

std::optional<double> Settings::fontPoints() const
{
    const double points = m_store->value(fontKey).toDouble();
    return points >= 9 && points <= 14 ? std::optional(points) : std::nullopt;
}

void Settings::setFontPoints(std::optional<double> points)
{
    points ? m_store->setValue(fontKey, *points) : m_store->remove(fontKey);
    applyLook();
    Q_EMIT lookChanged();
}

bool Settings::reducesMotion() const { return m_store->value(motionKey).toBool(); }

void Settings::setReducedMotion(bool reduced)
{
    m_store->setValue(motionKey, reduced);
    applyLook();
    Q_EMIT lookChanged();
}

void Settings::applyLook() const
{
    Theme& look = Theme::instance();
    look.setFontPoints(fontPoints().value_or(look.desktopPoints()));
    look.setReducedMotion(reducesMotion());
    if (look.kind() != theme())
        look.apply(theme());
}

QString Settings::ownSessionsFolder() const { return m_store->value(folderKey).toString(); }

QString Settings::sessionsFolder() const
{
    const QString own = ownSessionsFolder();
    return own.isEmpty() ? QString::fromStdString(tilewright::sessionsFolder().string()) : own;
}

bool Settings::setSessionsFolder(const QString& folder)
{
    if (!folder.isEmpty()
        && (!QDir::isAbsolutePath(folder) || !QDir().mkpath(folder) || !QFileInfo(folder).isWritable()))
        return false;
    m_store->setValue(folderKey, folder.isEmpty() ? QString() : QDir::cleanPath(folder));
    Q_EMIT sessionsFolderChanged();
    return true;
}

QString Settings::preferredGpu() const { return m_store->value(gpuKey).toString(); }

void Settings::setPreferredGpu(const QString& device)
{
    m_store->setValue(gpuKey, device);
    Q_EMIT preferredGpuChanged();
}

QStringList Settings::recentFiles() const { return m_store->value(recentKey).toStringList(); }

void Settings::addRecentFile(const QString& path)
{
    QStringList files = recentFiles();
    const QString whole = QFileInfo(path).absoluteFilePath();
    if (!files.isEmpty() && files.first() == whole)
        return;
    files.removeAll(whole);
    files.prepend(whole);
    keep(files);
}

void Settings::keep(const QStringList& files)
{
    m_store->setValue(recentKey, files.mid(0, keptRecent()));
    Q_EMIT recentFilesChanged();
}

int Settings::keptRecent() const { return std::clamp(m_store->value(keptKey, usualRecent).toInt(), 0, mostRecent); }

void Settings::setKeptRecent(int count)
{
    m_store->setValue(keptKey, std::clamp(count, 0, mostRecent));
    keep(recentFiles());
}

void Settings::forgetRecentFiles()
{
    const QStringList before = recentFiles();
    if (before.isEmpty())
        return;
    keep({});
    forget(tr("all recent sessions in the list; the files are kept"), [this, before] {
        QStringList now = recentFiles();
        for (const QString& path : before)
            if (!now.contains(path)) // it was opened again meanwhile
                now << path;
        keep(now);
    });
}

void Settings::removeRecentFile(const QString& path)
{
    QStringList files = recentFiles();
    const qsizetype at = files.indexOf(path);
    if (files.removeAll(path) == 0)
        return;
    m_store->setValue(recentKey, files);
    Q_EMIT recentFilesChanged();
    forget(tr("%1 in the recent sessions").arg(QFileInfo(path).fileName()), [this, path, at] {
        QStringList now = recentFiles();
        if (now.contains(path)) // it was opened again meanwhile
            return;
        now.insert(std::min(at, now.size()), path);
        keep(now);
    });
}

QString Settings::recentFolder() const { return QFileInfo(m_store->fileName()).dir().filePath(u"recent"_s); }

QString Settings::modelsFile() const { return m_modelsFile; }

QString Settings::draftsFolder() const { return m_draftsFolder; }

QStringList Settings::packFolders() const
{
    QStringList folders = m_store->value(packsKey).toStringList();
    folders.removeIf([](const QString& path) { return !QFileInfo(path).isDir(); });
    return folders;
}

void Settings::addPackFolder(const QString& folder)
{
    QStringList folders = packFolders(), hidden = hiddenPackFolders();
    if (hidden.removeAll(folder) > 0)
        m_store->setValue(hiddenPacksKey, hidden);
    if (folders.contains(folder))
        return;
    folders << folder;
    m_store->setValue(packsKey, folders);
}

QStringList Settings::hiddenPackFolders() const { return m_store->value(hiddenPacksKey).toStringList(); }

void Settings::hidePackFolder(const QString& folder, const std::function<void()>& back)
{
    QStringList listed = packFolders(), hidden = hiddenPackFolders();
    listed.removeAll(folder);
    if (!hidden.contains(folder))
        hidden << folder;
    m_store->setValue(packsKey, listed);
    m_store->setValue(hiddenPacksKey, hidden);
    forget(tr("the task pack %1 in the list; its files are kept").arg(QFileInfo(folder).fileName()), back);
}

QString layoutOf(const QString& what, const QString& sessionPath)
{
    const QByteArray hash = QCryptographicHash::hash(sessionPath.toUtf8(), QCryptographicHash::Sha1);
    return what + u'-' + QString::fromLatin1(hash.toHex().left(16));
}

QByteArray Settings::layout(const QString& name) const { return m_store->value(layoutKey.arg(name)).toByteArray(); }

void Settings::setLayout(const QString& name, const QByteArray& state)
{
    m_store->setValue(layoutKey.arg(name), state);
}

} // namespace tilewright::ui
