// SPDX-License-Identifier: GPL-3.0-or-later
// Graphs of many points that draw what a pixel shows of them, and no more: the library turns every point into pixels
// for each picture. GUI thread.
#pragma once

#include "ui/widgets/plot/plot_library.h"

namespace tilewright::ui {

/// Dots as one picture, blitted once for each square of two pixels: thousands of them stand on top of each other.
class Dots : public QCPGraph
{
public:
    Dots(QCPAxis* keys, QCPAxis* values, const QVector<double>& x, const QVector<double>& y, const QPixmap& disc);

protected:
    void draw(QCPPainter* painter) override;

private:
    QVector<double> m_x, m_y;
    QPixmap m_disc;
};

/// The corners of a line that keeps each value until the next key, in pixels: one step a pixel of the keys.
QPolygonF stepsInPixels(const QCPAxis& keys, const QCPAxis& values, const QVector<double>& x, const QVector<double>& y);

/// Such a line, with the graph's pen.
class Steps : public QCPGraph
{
public:
    Steps(QCPAxis* keys, QCPAxis* values, const QVector<double>& x, const QVector<double>& y);

protected:
    void draw(QCPPainter* painter) override;

private:
    QVector<double> m_x, m_y;
};

} // namespace tilewright::ui
