// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/row_in_sight.h"

#include <QApplication>
#include <QEvent>
#include <QListView>
#include <QScrollArea>
#include <QScrollBar>
#include <utility>

namespace tilewright::ui {

RowInSight::RowInSight(QScrollArea& area, std::function<Place()> place)
    : QObject(&area)
    , m_area(area)
    , m_place(std::move(place))
{
    connect(area.verticalScrollBar(), &QScrollBar::rangeChanged, this, &RowInSight::keep);
    connect(area.verticalScrollBar(), &QScrollBar::actionTriggered, this, &RowInSight::leave); // the wheel's, too
}

void RowInSight::watch(QListView& list)
{
    list.setAutoScroll(false); // not whenever a row is made the current one again
    list.installEventFilter(this);
    connect(list.verticalScrollBar(), &QScrollBar::rangeChanged, this, &RowInSight::keep);
    connect(list.verticalScrollBar(), &QScrollBar::actionTriggered, this, &RowInSight::leave);
}

bool RowInSight::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Show)
        seek();
    else if (event->type() == QEvent::Move)
        keep();
    return QObject::eventFilter(watched, event);
}

void RowInSight::leave() { m_isLeft = true; }

void RowInSight::seek()
{
    m_isLeft = false;
    show(Around::Scrolled);
}

void RowInSight::keep()
{
    if (m_isLeft)
        return;
    const QWidget* keyboard = QApplication::focusWidget();
    const bool isElsewhere = keyboard && keyboard != m_place().list && m_area.isAncestorOf(keyboard);
    show(isElsewhere ? Around::Left : Around::Scrolled); // what has the keyboard stays in sight
}

void RowInSight::show(Around around) const
{
    const Place place = m_place();
    if (!place.list || !place.list->isVisible())
        return;
    const QModelIndex index = place.list->model()->index(place.row, 0);
    place.list->scrollTo(index);
    if (around == Around::Left)
        return;
    const QRect row = place.list->visualRect(index);
    const QPoint middle = place.list->viewport()->mapTo(m_area.widget(), row.center());
    m_area.ensureVisible(0, middle.y(), 0, row.height() / 2 + 1);
}

} // namespace tilewright::ui
