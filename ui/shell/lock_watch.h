// SPDX-License-Identifier: GPL-3.0-or-later
// Notices that the program that writes a session, which is only shown here meanwhile, has let go of it. GUI thread; the
// file is looked at on a pool thread.
#pragma once

#include <QObject>
#include <QTimer>

namespace tilewright::ui {

class LockWatch : public QObject
{
    Q_OBJECT

public:
    explicit LockWatch(QObject* parent = nullptr);
    /// From here on that file, "" for none.
    void watch(const QString& path);

Q_SIGNALS:
    /// Once, and the watch is over.
    void freed(const QString& path);

private:
    void look();

    QTimer m_pause; ///< between two looks
    QString m_path;
};

} // namespace tilewright::ui
