// SPDX-License-Identifier: GPL-3.0-or-later
// A list that says in words that it is empty, is content with a few rows, has a line where it cuts one, and goes
// nowhere when letters are typed: they are orders here. GUI thread.
#pragma once

#include "ui/theme/theme.h"

#include <QListView>
#include <QPainter>
#include <QScrollBar>
#include <utility>

namespace tilewright::ui {

class QuietList : public QListView
{
public:
    QuietList(const QString& nothing, QWidget* parent)
        : QListView(parent)
        , m_nothing(nothing)
    {
    }

    void setNothing(const QString& nothing)
    {
        if (std::exchange(m_nothing, nothing) != nothing)
            viewport()->update();
    }

    void keyboardSearch(const QString&) override { }
    QSize sizeHint() const override { return {QListView::sizeHint().width(), px(96)}; }

protected:
    void paintEvent(QPaintEvent* event) override
    {
        QListView::paintEvent(event);
        QPainter painter(viewport());
        const QRect area = viewport()->rect();
        if (verticalScrollBar()->value() > 0)
            painter.fillRect(area.left(), area.top(), area.width(), 1, tokens().border);
        if (verticalScrollBar()->value() < verticalScrollBar()->maximum())
            painter.fillRect(area.left(), area.bottom(), area.width(), 1, tokens().border);
        if (!model() || model()->rowCount() > 0)
            return;
        painter.setFont(fontOf(Type::Secondary));
        painter.setPen(tokens().secondary);
        painter.drawText(area.adjusted(px(12), px(10), -px(12), -px(10)),
            Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, m_nothing);
    }

private:
    QString m_nothing;
};

} // namespace tilewright::ui
