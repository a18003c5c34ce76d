// SPDX-License-Identifier: GPL-3.0-or-later
// Upright lines at places of a plot's bottom axis: one item for all of them, since a long run has thousands and an item
// of the library costs more than its line.
#pragma once

#include "ui/widgets/plot/plot_library.h"

#include <QColor>

namespace tilewright::ui {

struct UprightLine {
    double x = 0; ///< on the bottom axis
    double from = 0, to = 1; ///< parts of the axis rect's height, from its upper edge
    QColor colour;
};

class UprightLines : public QCPAbstractItem
{
public:
    /// Belongs to the plot.
    UprightLines(QCustomPlot* plot, QCPAxisRect* rect, const QPen& pen);

    /// In any order; of those in one column of pixels the longest is drawn, of equals the last.
    QVector<UprightLine> lines;

    double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }

protected:
    void draw(QCPPainter* painter) override;

private:
    QPen m_pen;
};

} // namespace tilewright::ui
