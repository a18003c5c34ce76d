// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/window/input_meter.h"

#include <QAbstractEventDispatcher>

namespace tilewright::bench {

InputMeter::InputMeter(int& argc, char** argv)
    : QApplication(argc, argv)
{
    connect(QAbstractEventDispatcher::instance(), &QAbstractEventDispatcher::aboutToBlock, this, [this] {
        if (m_handled)
            seen();
    });
}

void InputMeter::send(const std::string& kind, QWidget* to, QEvent* event, double lateMs)
{
    m_kind = kind;
    m_event = event;
    m_handled = false;
    m_lateMs = lateMs;
    m_since.start();
    postEvent(to, event);
}

bool InputMeter::notify(QObject* receiver, QEvent* event)
{
    const bool isOurs = event == m_event;
    const bool paints = event->type() == QEvent::UpdateRequest && receiver->isWidgetType()
        && static_cast<QWidget*>(receiver)->isWindow();
    const bool done = QApplication::notify(receiver, event);
    if (isOurs) {
        m_event = nullptr;
        m_handled = true;
    } else if (paints) {
        if (m_handled)
            seen();
        if (m_painted)
            m_painted();
    }
    return done;
}

void InputMeter::seen()
{
    m_times[m_kind].push_back(m_lateMs + static_cast<double>(m_since.nsecsElapsed()) / 1e6);
    m_kind.clear();
    m_handled = false;
}

} // namespace tilewright::bench
