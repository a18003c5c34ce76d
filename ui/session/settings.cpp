// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/settings.h"

#include "core/base/files.h"

#include <QDir>
#include <QFileInfo>
#include <QSettings>

namespace tilewright::ui {
namespace {

using namespace Qt::StringLiterals;

const QString themeKey = u"look/theme"_s, recentKey = u"session/recent"_s, layoutKey = u"layout/%1"_s,
              packsKey = u"task/folders"_s;
constexpr int mostRecentFiles = 8;

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

ThemeKind Settings::theme() const
{
    return themeFromName(m_store->value(themeKey).toString()).value_or(ThemeKind::Dark);
}

void Settings::setTheme(ThemeKind kind) { m_store->setValue(themeKey, nameOf(kind)); }

QStringList Settings::recentFiles() const { return m_store->value(recentKey).toStringList(); }

void Settings::addRecentFile(const QString& path)
{
    QStringList files = recentFiles();
    const QString whole = QFileInfo(path).absoluteFilePath();
    if (!files.isEmpty() && files.first() == whole)
        return;
    files.removeAll(whole);
    files.prepend(whole);
    m_store->setValue(recentKey, files.mid(0, mostRecentFiles));
    Q_EMIT recentFilesChanged();
}

void Settings::removeRecentFile(const QString& path)
{
    QStringList files = recentFiles();
    const qsizetype at = files.indexOf(path);
    if (files.removeAll(path) == 0)
        return;
    m_store->setValue(recentKey, files);
    Q_EMIT recentFilesChanged();
    forget(tr("%1 was taken off the recent sessions").arg(QFileInfo(path).fileName()), [this, path, at] {
        QStringList now = recentFiles();
        if (now.contains(path)) // it was opened again meanwhile
            return;
        now.insert(std::min(at, now.size()), path);
        m_store->setValue(recentKey, now.mid(0, mostRecentFiles));
        Q_EMIT recentFilesChanged();
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
    QStringList folders = packFolders();
    if (folders.contains(folder))
        return;
    folders << folder;
    m_store->setValue(packsKey, folders);
}

QByteArray Settings::layout(const QString& name) const { return m_store->value(layoutKey.arg(name)).toByteArray(); }

void Settings::setLayout(const QString& name, const QByteArray& state)
{
    m_store->setValue(layoutKey.arg(name), state);
}

} // namespace tilewright::ui
