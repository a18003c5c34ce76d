// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/style_sheet_pause.h"

#include <QApplication>
#include <QEvent>
#include <QWidget>

namespace tilewright::ui {

StyleSheetPause::StyleSheetPause()
    : m_sheet(qApp->styleSheet())
{
    if (!m_sheet.isEmpty())
        qApp->setStyleSheet({});
}

void StyleSheetPause::postpone(const QWidget& part)
{
    for (QWidget* each : part.findChildren<QWidget*>()) {
        each->setAttribute(Qt::WA_WState_Polished, false); // or the application polishes it with its new style
        m_postponed.insert(each);
    }
}

StyleSheetPause::~StyleSheetPause()
{
    if (m_sheet.isEmpty())
        return;
    qApp->installEventFilter(this);
    qApp->setStyleSheet(m_sheet);
    qApp->removeEventFilter(this);
}

/// Every widget is told of the application's new style, and most of them lay themselves out for it.
bool StyleSheetPause::eventFilter(QObject* watched, QEvent* event)
{
    return event->type() == QEvent::StyleChange && m_postponed.contains(watched);
}

void catchUpWithStyle(const QWidget& part)
{
    for (QWidget* each : part.findChildren<QWidget*>()) {
        if (each->testAttribute(Qt::WA_WState_Polished))
            continue;
        for (const QEvent::Type type : {QEvent::Polish, QEvent::StyleChange}) {
            QEvent event(type);
            QCoreApplication::sendEvent(each, &event);
        }
    }
}

} // namespace tilewright::ui
