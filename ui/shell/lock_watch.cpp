// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/lock_watch.h"

#include "core/store/session_lock.h"
#include "ui/widgets/aside.h"

#include <chrono>
#include <utility>

namespace tilewright::ui {

using namespace std::chrono_literals;

LockWatch::LockWatch(QObject* parent)
    : QObject(parent)
{
    m_pause.setInterval(1s);
    m_pause.setSingleShot(true);
    connect(&m_pause, &QTimer::timeout, this, &LockWatch::look);
}

void LockWatch::watch(const QString& path)
{
    if (std::exchange(m_path, path) == path)
        return;
    m_pause.stop();
    if (!path.isEmpty())
        m_pause.start();
}

void LockWatch::look()
{
    doAside(
        this, [file = m_path.toStdString()] { return isLockedByWriter(file); },
        [this, path = m_path](bool isHeld) {
            if (path != m_path)
                return; // another one is watched now
            if (isHeld)
                return m_pause.start();
            m_path.clear();
            Q_EMIT freed(path);
        });
}

} // namespace tilewright::ui
