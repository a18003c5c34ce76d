// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/docks/workspace.h"

#include "ui/theme/rescale.h"
#include "ui/theme/theme.h"
#include "ui/widgets/pane.h"
#include "ui/widgets/room.h"

#include <QDockWidget>
#include <QEvent>
#include <QTimer>
#include <chrono>
#include <utility>

namespace tilewright::ui {

using namespace std::chrono_literals;

Workspace::Workspace(Settings& settings, const QString& name, int version, QWidget* parent)
    : QMainWindow(parent, Qt::Widget)
    , m_settings(settings)
    , m_name(name)
    , m_version(version)
{
    setWindowFlags(Qt::Widget); // a main window is a window of its own otherwise, whatever its parent
    setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
    setAnimated(!Theme::instance().reducesMotion());
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    connect(&Theme::instance(), &Theme::changed, this, &Workspace::followVariant); // the text may be larger
    m_note.setSingleShot(true);
    m_note.setInterval(100ms);
    connect(&m_note, &QTimer::timeout, this, [this] {
        if (m_variant && *m_variant == variant() && isVisible())
            m_noted = layoutNow();
    });
}

bool Workspace::isNarrow() const { return width() < px(1400); }

bool Workspace::isSlim() const { return ui::isSlim(*this); }

QString Workspace::shape() const
{
    return (m_variantNow ? m_variantNow() : QString()) + (isSlim() ? QStringLiteral("-slim") : QString());
}

QString Workspace::variant() const
{
    const double points = Theme::instance().fontPoints();
    return shape() + (qFuzzyCompare(points, 9.0) ? QString() : QStringLiteral("-%1pt").arg(points));
}

void Workspace::setNarrowVariant()
{
    setVariants([this] { return isNarrow() ? QStringLiteral("-narrow") : QString(); });
}

QDockWidget* Workspace::addDock(const QString& name, const QString& title, DockTitle* bar, QWidget* content)
{
    auto* made = new QDockWidget(title, this);
    made->setObjectName(name);
    made->setWidget(content);
    made->setTitleBarWidget(bar);
    bar->serve(made);
    made->installEventFilter(this);
    m_docks << made;
    return made;
}

void Workspace::showEvent(QShowEvent* event)
{
    QMainWindow::showEvent(event);
    if (!m_variant)
        takeUpLayout();
    settle();
}

/// What is in and around the docks follows the size of the text a moment later than they do, and where they are hidden
/// once they are seen: a layout that is taken up before is a few pixels off.
void Workspace::settle()
{
    if (!m_isUnsettled)
        return;
    for (const auto after : {0ms, 100ms})
        QTimer::singleShot(after, this, [this, isLast = after > 0ms] {
            if (!m_isUnsettled || !isVisible())
                return;
            takeUpLayout();
            m_isUnsettled = !isLast;
        });
}

void Workspace::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    followVariant();
}

bool Workspace::event(QEvent* event)
{
    if (event->type() == aboutToRescale() && m_variant && !m_isKept) {
        saveLayout();
        m_isKept = true;
    }
    return QMainWindow::event(event);
}

/// Once the window has left a variant's sizes, its docks are squeezed or stretched: that is not how they were.
bool Workspace::eventFilter(QObject* watched, QEvent* event)
{
    switch (event->type()) {
    case QEvent::Resize:
    case QEvent::Move:
    case QEvent::Show:
    case QEvent::Hide:
        m_note.start();
        break;
    default:
        break;
    }
    return QMainWindow::eventFilter(watched, event);
}

void Workspace::followVariant()
{
    if (!m_variant || *m_variant == variant())
        return;
    // Once the docks have their new sizes; a window on its way past the border and back is left as it is.
    QMetaObject::invokeMethod(
        this,
        [this] {
            if (!m_variant || *m_variant == variant())
                return;
            const bool isOfText = std::exchange(m_isKept, false);
            if (!isOfText)
                m_settings.setLayout(m_name + *m_variant, m_noted.isEmpty() ? layoutNow() : m_noted);
            takeUpLayout();
            m_isUnsettled = isOfText;
            if (isVisible())
                settle();
        },
        Qt::QueuedConnection);
}

void Workspace::takeUpLayout()
{
    m_variant = variant();
    m_noted.clear();
    m_note.start();
    if (!takeUp(m_settings.layout(m_name + *m_variant)) && !takeUp(m_settings.layout(m_name + shape())))
        resetLayout();
}

QByteArray Workspace::layoutNow() const { return saveState(m_version); }

bool Workspace::takeUp(const QByteArray& layout) { return !layout.isEmpty() && restoreState(layout, m_version); }

void Workspace::saveLayout()
{
    if (m_variant)
        m_settings.setLayout(m_name + *m_variant, layoutNow());
}

void Workspace::resetLayout()
{
    for (QDockWidget* one : m_docks) {
        if (one->isFloating())
            one->setFloating(false);
        if (dockWidgetArea(one) != Qt::NoDockWidgetArea)
            one->setVisible(true);
    }
    if (m_arrange)
        m_arrange();
}

} // namespace tilewright::ui
