// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/welcome/recent_list.h"

#include "core/store/packed_session.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/welcome/recent_row.h"
#include "ui/widgets/aside.h"

#include <QLabel>
#include <QScrollBar>
#include <QTimer>
#include <QVBoxLayout>
#include <QtConcurrent>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {
constexpr int fewestRows = 2; ///< seen in a small window
} // namespace

RecentList::RecentList(const ViewContext& context, QWidget* parent)
    : QScrollArea(parent)
    , m_context(context)
    , m_column(nullptr)
    , m_none(new QLabel(tr("No recent sessions."), this))
{
    setObjectName(u"recentSessions"_s);
    setAccessibleName(tr("Recent sessions"));
    setProperty("role", u"plain"_s);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
    m_thread.setMaxThreadCount(1);
    auto* inside = new QWidget(this);
    inside->setProperty("role", u"plain"_s);
    m_column = new QVBoxLayout(inside);
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(px(2));
    m_none->setProperty("tone", u"secondary"_s);
    m_column->addWidget(m_none);
    m_column->addStretch(1);
    setWidget(inside);
    connect(&context.settings, &Settings::recentFilesChanged, this, [this] {
        fill();
        if (isVisible())
            lookAtAll();
    });
    connect(&context.session, &SessionClient::replaced, this, [this] {
        const QString closed = std::exchange(m_open, text(m_context.session.snapshot().status.sessionPath));
        if (!closed.isEmpty() && closed != m_open)
            lookAt(closed);
    });
    fill();
}

RecentList::~RecentList()
{
    m_thread.waitForDone(); // a sketch that is being written is written
}

int RecentList::contentHeight(int rows) const
{
    return rows == 0 ? m_none->sizeHint().height()
                     : rows * (m_rows.front()->sizeHint().height() + m_column->spacing()) - m_column->spacing();
}

// No more than it needs: what asks for room here makes a page scroll as a whole. It grows where there is room.
QSize RecentList::sizeHint() const { return {px(200), minimumSizeHint().height()}; }

QSize RecentList::minimumSizeHint() const
{
    return {px(120), contentHeight(std::min(static_cast<int>(m_rows.size()), fewestRows))};
}

void RecentList::showEvent(QShowEvent* event)
{
    QScrollArea::showEvent(event);
    QTimer::singleShot(0, this, [this] { lookAtAll(); }); // the window is there first
}

void RecentList::fill()
{
    for (RecentRow* row : m_rows)
        row->deleteLater();
    m_rows.clear();
    const QStringList files = m_context.settings.recentFiles();
    std::erase_if(m_looks, [&files](const SessionLook& look) { return !files.contains(look.path); });
    m_none->setVisible(files.isEmpty());
    for (const QString& path : files) {
        auto* row = new RecentRow(path, widget());
        m_column->insertWidget(static_cast<int>(m_rows.size()), row);
        m_rows.push_back(row);
        if (const auto look = std::ranges::find(m_looks, path, &SessionLook::path); look != m_looks.end())
            row->show(*look);
        connect(row, &RecentRow::clicked, this, [this, path] { Q_EMIT openRequested(path); });
        connect(row, &RecentRow::removeWanted, this, [this, path] { m_context.settings.removeRecentFile(path); });
    }
    setMaximumHeight(contentHeight(static_cast<int>(m_rows.size())));
    updateGeometry();
    Q_EMIT looked();
}

void RecentList::lookAtAll()
{
    const QStringList files = m_context.settings.recentFiles();
    for (const QString& path : files)
        lookAt(path);
    (void)runAside(
        [files, folder = m_context.settings.recentFolder()] { forgetSketchesExcept(files, folder); }, m_thread);
}

void RecentList::lookAt(const QString& path)
{
    doAside(
        this, [path, folder = m_context.settings.recentFolder()] { return lookAtSession(path, folder); },
        [this](const SessionLook& look) { take(look); }, m_thread);
}

void RecentList::take(const SessionLook& look)
{
    const auto row = std::ranges::find_if(m_rows, [&](const RecentRow* each) { return each->path() == look.path; });
    if (row == m_rows.end())
        return; // taken off the list meanwhile
    std::erase_if(m_looks, [&](const SessionLook& known) { return known.path == look.path; });
    m_looks.push_back(look);
    (*row)->show(look);
    Q_EMIT looked();
}

QStringList RecentList::readable() const
{
    QStringList paths;
    for (const QString& path : m_context.settings.recentFiles())
        if (const auto look = std::ranges::find(m_looks, path, &SessionLook::path);
            look != m_looks.end() && look->sketch)
            paths << path;
    return paths;
}

std::vector<SessionSketch> RecentList::sketches() const
{
    std::vector<SessionSketch> seen;
    for (const SessionLook& look : m_looks)
        if (look.sketch && demoOf(look.path.toStdString()).empty()) // what it took, it took elsewhere
            seen.push_back(*look.sketch);
    return seen;
}

} // namespace tilewright::ui
