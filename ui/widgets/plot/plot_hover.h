// SPDX-License-Identifier: GPL-3.0-or-later
// The small card beside the pointer in a plot: a badge, a name, two lines. Takes no mouse events. GUI thread.
#pragma once

#include "core/base/ids.h"

#include <QStringList>
#include <QWidget>

namespace tilewright::ui {

class PlotHover : public QWidget
{
    Q_OBJECT

public:
    explicit PlotHover(QWidget* parent);
    /// First line beside the badge of the island, if there is one, aside at its right end, then one line each.
    void show(IslandId island, const QString& name, const QString& aside, const QStringList& lines, const QPoint& at);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    IslandId m_island;
    QString m_name, m_aside;
    QStringList m_lines;
};

} // namespace tilewright::ui
