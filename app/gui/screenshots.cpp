// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/screenshots.h"

#include "ui/widgets/room.h"

#include <QCoreApplication>
#include <QDir>
#include <QPainter>
#include <QTextStream>
#include <QTimer>
#include <algorithm>
#include <chrono>

namespace tilewright::gui {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {
constexpr auto settle = 500ms; ///< texts, layout and queued replots are done by then
constexpr int longestWait = 40; ///< settles until a session, or what a view has asked for, must be there
} // namespace

Screenshots::Screenshots(ui::MainWindow& window, const QString& folder, const QString& session)
    : QObject(&window)
    , m_window(window)
    , m_folder(folder)
    , m_session(session)
{
    QTimer::singleShot(settle, this, &Screenshots::next);
}

bool Screenshots::isWanted(const Picture& screen) const
{
    return screen.needs != Picture::Needs::Session || !m_session.isEmpty();
}

/// The session, for the first screen that is not to be seen without one.
void Screenshots::open()
{
    if (m_waited == 0)
        m_window.openFile(m_session);
    if (++m_waited > longestWait) {
        QTextStream(stderr) << "tilewright: the session could not be opened for the screenshots\n";
        QCoreApplication::exit(2);
        return;
    }
    QTimer::singleShot(settle, this, &Screenshots::next);
}

void Screenshots::next()
{
    const auto& screens = pictures();
    while (m_at < screens.size() && !isWanted(screens[m_at]))
        ++m_at;
    if (m_at >= screens.size()) {
        m_window.close();
        return;
    }
    if (screens[m_at].needs != Picture::Needs::NoSession && !m_session.isEmpty() && !m_window.session().isOpen())
        return open();
    screens[m_at].show(m_window);
    m_waited = 0;
    QTimer::singleShot(settle, this, &Screenshots::take);
}

bool Screenshots::isAwaited() const
{
    const QList<QWidget*> widgets = m_window.findChildren<QWidget*>();
    return std::ranges::any_of(
        widgets, [](const QWidget* each) { return each->isVisible() && each->property(ui::awaited).toBool(); });
}

void Screenshots::take()
{
    if (isAwaited() && ++m_waited <= longestWait)
        return QTimer::singleShot(settle, this, &Screenshots::take);
    const QString file = QDir(m_folder).filePath(pictures()[m_at].name + u".png"_s);
    QPixmap picture = m_window.grab();
    QPainter painter(&picture);
    for (QWidget* over : windowsOver(m_window)) // as they lie on the window
        painter.drawPixmap(m_window.mapFromGlobal(over->mapToGlobal(QPoint())), over->grab());
    painter.end();
    if (!picture.save(file)) {
        QTextStream(stderr) << "tilewright: cannot write " << file << '\n';
        QCoreApplication::exit(6);
        return;
    }
    QTextStream(stdout) << file << '\n';
    ++m_at;
    m_waited = 0;
    next();
}

} // namespace tilewright::gui
