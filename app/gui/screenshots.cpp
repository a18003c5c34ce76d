// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/screenshots.h"

#include "ui/shell/screens.h"

#include <QCoreApplication>
#include <QDir>
#include <QTextStream>
#include <QTimer>
#include <chrono>

namespace tilewright::gui {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {
constexpr auto settle = 500ms; ///< texts, layout and queued replots are done by then
constexpr int longestWait = 40; ///< settles until a session must be there
} // namespace

Screenshots::Screenshots(ui::MainWindow& window, const QString& folder, bool withSession)
    : QObject(&window)
    , m_window(window)
    , m_folder(folder)
    , m_withSession(withSession)
{
    QTimer::singleShot(settle, this, [this] { wait(); });
}

void Screenshots::wait()
{
    if (m_withSession && !m_window.session().isOpen()) {
        if (++m_waited > longestWait) {
            QTextStream(stderr) << "tilewright: the session could not be opened for the screenshots\n";
            QCoreApplication::exit(2);
            return;
        }
        QTimer::singleShot(settle, this, [this] { wait(); });
        return;
    }
    next();
}

void Screenshots::next()
{
    const auto& screens = ui::screens();
    while (m_at < screens.size() && screens[m_at].needsSession && !m_withSession)
        ++m_at;
    if (m_at >= screens.size()) {
        m_window.close();
        return;
    }
    screens[m_at].show(m_window);
    QTimer::singleShot(settle, this, [this, name = screens[m_at].name] {
        const QString file = QDir(m_folder).filePath(name + u".png"_s);
        if (!m_window.grab().save(file)) {
            QTextStream(stderr) << "tilewright: cannot write " << file << '\n';
            QCoreApplication::exit(6);
            return;
        }
        QTextStream(stdout) << file << '\n';
        ++m_at;
        next();
    });
}

} // namespace tilewright::gui
