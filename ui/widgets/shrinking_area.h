// SPDX-License-Identifier: GPL-3.0-or-later
// Content above something else in a column: as high as it needs to be for its width, and scrolled where the column has
// not that much room, so that what is below keeps its own. GUI thread.
#pragma once

#include "ui/theme/theme.h"

#include <QEvent>
#include <QResizeEvent>
#include <QScrollArea>
#include <algorithm>

namespace tilewright::ui {

class ShrinkingArea : public QScrollArea
{
public:
    ShrinkingArea(QWidget* content, QWidget* parent)
        : QScrollArea(parent)
    {
        setWidgetResizable(true);
        setFrameShape(QFrame::NoFrame);
        setFocusPolicy(Qt::NoFocus); // the ring belongs to what is in it
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
        setWidget(content);
        for (QWidget* ground : {content, viewport()}) // what it stands on
            ground->setAutoFillBackground(false);
    }

    QSize sizeHint() const override
    {
        const QSize hint = widget()->sizeHint();
        return widget()->hasHeightForWidth() ? QSize(hint.width(), widget()->heightForWidth(width())) : hint;
    }
    QSize minimumSizeHint() const override
    {
        return {widget()->minimumSizeHint().width(), std::min(px(72), sizeHint().height())};
    }

protected:
    bool event(QEvent* event) override
    {
        if (event->type() == QEvent::LayoutRequest)
            updateGeometry(); // the content needs another height
        return QScrollArea::event(event);
    }
    /// What the content said while nobody saw it went by unheard.
    void showEvent(QShowEvent* event) override
    {
        QScrollArea::showEvent(event);
        updateGeometry();
    }
    void resizeEvent(QResizeEvent* event) override
    {
        QScrollArea::resizeEvent(event);
        if (event->size().width() != event->oldSize().width())
            updateGeometry();
    }
};

} // namespace tilewright::ui
