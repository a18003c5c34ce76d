// SPDX-License-Identifier: GPL-3.0-or-later
// What the program remembers between starts: theme, recent files, layouts. Session data is not a setting. GUI thread.
#pragma once

#include "ui/theme/tokens.h"

#include <QByteArray>
#include <QObject>
#include <QStringList>
#include <functional>
#include <memory>
#include <optional>

class QSettings;

namespace tilewright::ui {

/// The name of a layout that belongs to one session file.
QString layoutOf(const QString& what, const QString& sessionPath);

class Settings : public QObject
{
    Q_OBJECT

public:
    /// In the user's configuration folder.
    explicit Settings(QObject* parent = nullptr);
    /// In that file, models beside it: for tests and screenshots, which must not see or change a user's choices.
    explicit Settings(const QString& file, QObject* parent = nullptr);
    ~Settings() override;

    /// None: as the desktop is.
    std::optional<ThemeKind> chosenTheme() const;
    ThemeKind theme() const;
    void setTheme(std::optional<ThemeKind> kind);
    /// None: as the desktop asks for.
    std::optional<double> fontPoints() const;
    void setFontPoints(std::optional<double> points);
    bool reducesMotion() const;
    void setReducedMotion(bool reduced);
    /// Makes the program look like this.
    void applyLook() const;

    /// Where new sessions are written and open ones are looked for; empty: the usual folder.
    QString ownSessionsFolder() const;
    QString sessionsFolder() const; ///< that, or the usual one
    /// False, and nothing changes: it is no whole path, or nothing can be written there.
    bool setSessionsFolder(const QString& folder);
    /// What measures a task for GPUs where several could: "cuda:0", "cuda:all"; empty: the first.
    QString preferredGpu() const;
    void setPreferredGpu(const QString& device);

    QStringList recentFiles() const; ///< newest first; whether they are still there is not looked at
    void addRecentFile(const QString& path);
    /// Told by forgotten().
    void removeRecentFile(const QString& path);
    /// All of them, told by forgotten().
    void forgetRecentFiles();
    /// How many are kept, 0 to mostRecent; those beyond go at once.
    int keptRecent() const;
    void setKeptRecent(int count);
    static constexpr int mostRecent = 30, usualRecent = 8;
    /// Where the pictures of recent sessions are kept.
    QString recentFolder() const;

    /// Where the models that a user has set up are kept: the file that the proposer `model` reads.
    QString modelsFile() const;
    /// Where texts are kept that a user has begun and not saved.
    QString draftsFolder() const;
    /// Task packs beyond those that are found by themselves.
    QStringList packFolders() const;
    /// Those that a user took off the list, wherever they lie; their files stay.
    QStringList hiddenPackFolders() const;
    /// It is listed from then on, also where it was taken off before.
    void addPackFolder(const QString& folder);
    /// Told by forgotten(), with what brings it back.
    void hidePackFolder(const QString& folder, const std::function<void()>& back);

    QByteArray layout(const QString& name) const;
    void setLayout(const QString& name, const QByteArray& state);

    /// A user put something away that is kept here: "the view “fast”", and how it comes back.
    void forget(const QString& words, const std::function<void()>& back) { Q_EMIT forgotten(words, back); }

Q_SIGNALS:
    void recentFilesChanged();
    void lookChanged();
    void sessionsFolderChanged();
    void preferredGpuChanged();
    void forgotten(const QString& words, const std::function<void()>& back);

private:
    void keep(const QStringList& files);

    std::unique_ptr<QSettings> m_store;
    QString m_modelsFile, m_draftsFolder;
};

} // namespace tilewright::ui
