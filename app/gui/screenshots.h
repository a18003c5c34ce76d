// SPDX-License-Identifier: GPL-3.0-or-later
// Writes one PNG a screen, then ends the program. Steps by timers, so that texts and plots arrive as they do for a
// user. GUI thread.
#pragma once

#include "app/gui/pictures.h"
#include "ui/shell/main_window.h"

#include <QStringList>

namespace tilewright::gui {

class Screenshots : public QObject
{
    Q_OBJECT

public:
    /// session: of the screens that need one; empty: they are left out.
    Screenshots(ui::MainWindow& window, const QString& folder, const QString& session);

private:
    bool isWanted(const Picture& screen) const;
    void next();
    void open();
    bool isAwaited() const;
    void take();

    ui::MainWindow& m_window;
    QString m_folder;
    QString m_session;
    std::size_t m_at = 0;
    int m_waited = 0;
};

} // namespace tilewright::gui
