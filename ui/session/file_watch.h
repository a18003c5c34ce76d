// SPDX-License-Identifier: GPL-3.0-or-later
// Notices that another program wrote, replaced or removed a file that is shown here. Editors write in several ways: in
// place, or a new file takes the name, which a plain watch of the file loses sight of; so its folder is watched as
// well, and where that is not there yet, the nearest one that is. GUI thread.
#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>
#include <array>

namespace tilewright::ui {

class FileWatch : public QObject
{
    Q_OBJECT

public:
    explicit FileWatch(QObject* parent = nullptr);
    /// From here on that file, and no other; empty: none. It need not exist.
    void follow(const QString& path);
    const QString& path() const { return m_path; }

Q_SIGNALS:
    /// The file is another one than it was, or gone, and has stood still since. Whether its text differs is for the
    /// listener to find out.
    void touched();

private:
    /// What tells a file from the one that was there before; all zero where there is none.
    using Sign = std::array<std::int64_t, 4>;
    static Sign signOf(const QString& path);
    void watch();
    void look();

    QString m_path;
    QFileSystemWatcher m_watcher;
    QTimer m_settling; ///< a file is written in several steps
    Sign m_sign{};
};

} // namespace tilewright::ui
