// SPDX-License-Identifier: GPL-3.0-or-later
// Paints a PointScene. The pointer, or the arrow keys, lead from mark to mark and show a card; a click or Return
// selects the candidate. GUI thread.
#pragma once

#include "ui/compare/point_scene.h"

#include <QWidget>

namespace tilewright::ui {

class PlotHover;

class PointPlot : public QWidget
{
    Q_OBJECT

public:
    explicit PointPlot(QWidget* parent = nullptr);
    void show(PointScene scene);
    using QWidget::show;
    const PointScene& scene() const { return m_scene; }
    /// Where a mark stands in the widget.
    QPointF placeOf(std::size_t mark) const;
    /// The mark whose card is shown; -1: none.
    int pointedAt() const { return m_pointed; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void chosen(tilewright::CandidateId candidate);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Layout {
        QRectF area;
        std::pair<double, double> x, y;
        std::vector<AxisTick> ticksX, ticksY;
    };
    Layout layOut() const;
    QPointF pixelOf(const Layout& layout, const QPointF& value) const;
    int markAt(const QPointF& at) const;
    void point(int mark);
    void step(int by);
    void paintAxes(QPainter& painter, const Layout& layout) const;
    void paintLines(QPainter& painter, const Layout& layout, QVector<QRectF>& taken) const;
    void paintMarks(QPainter& painter, const Layout& layout) const;
    void paintLegend(QPainter& painter, const Layout& layout, QVector<QRectF>& taken) const;
    void paintLabels(QPainter& painter, const Layout& layout, QVector<QRectF>& taken) const;

    PointScene m_scene;
    PlotHover* m_card;
    int m_pointed = -1;
};

} // namespace tilewright::ui
