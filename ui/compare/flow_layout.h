// SPDX-License-Identifier: GPL-3.0-or-later
// Widgets in a row that goes on in the next one where there is no room. GUI thread.
#pragma once

#include <QLayout>
#include <QList>
#include <QWidget>
#include <algorithm>

namespace tilewright::ui {

class FlowLayout : public QLayout
{
public:
    explicit FlowLayout(int gap, QWidget* parent = nullptr)
        : QLayout(parent)
        , m_gap(gap)
    {
    }
    ~FlowLayout() override { qDeleteAll(m_items); }

    void addItem(QLayoutItem* item) override { m_items << item; }
    int count() const override { return static_cast<int>(m_items.size()); }
    QLayoutItem* itemAt(int index) const override { return m_items.value(index); }
    QLayoutItem* takeAt(int index) override
    {
        return index >= 0 && index < m_items.size() ? m_items.takeAt(index) : nullptr;
    }
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return arrange(QRect(0, 0, width, 0), false); }
    QSize sizeHint() const override { return minimumSize(); }
    QSize minimumSize() const override
    {
        QSize least;
        for (const QLayoutItem* item : m_items)
            if (!item->isEmpty())
                least = least.expandedTo(item->minimumSize());
        const QMargins edge = contentsMargins();
        return least + QSize(edge.left() + edge.right(), edge.top() + edge.bottom());
    }
    void setGeometry(const QRect& rect) override
    {
        QLayout::setGeometry(rect);
        arrange(rect, true);
    }

private:
    /// The height that it takes.
    int arrange(const QRect& rect, bool moves) const
    {
        const QMargins edge = contentsMargins();
        const QRect room = rect.marginsRemoved(edge);
        int x = room.left(), y = room.top(), high = 0;
        QList<QLayoutItem*> row;
        const auto place = [&] {
            int at = room.left();
            for (QLayoutItem* item : row) {
                const QSize size = item->sizeHint().boundedTo(QSize(std::max(room.width(), 1), QWIDGETSIZE_MAX));
                if (moves)
                    item->setGeometry(QRect(QPoint(at, y + (high - size.height()) / 2), size));
                at += size.width() + m_gap;
            }
            row.clear();
        };
        for (QLayoutItem* item : m_items) {
            if (item->isEmpty())
                continue;
            const QSize size = item->sizeHint();
            if (x > room.left() && x + size.width() > room.right() + 1) {
                place();
                x = room.left();
                y += high + m_gap;
                high = 0;
            }
            row << item;
            x += size.width() + m_gap;
            high = std::max(high, size.height());
        }
        place();
        return y + high - rect.top() + edge.bottom();
    }

    QList<QLayoutItem*> m_items;
    int m_gap;
};

} // namespace tilewright::ui
