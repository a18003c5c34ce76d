// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/plot/plot_graphs.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tilewright::ui {

namespace {

/// What QCPAxis::coordToPixel() says, for many values of an axis that does not change meanwhile.
class ToPixel
{
public:
    explicit ToPixel(const QCPAxis& axis)
        : m_isLog(axis.scaleType() == QCPAxis::stLogarithmic)
    {
        const QCPRange range = axis.range();
        const double first = axis.coordToPixel(range.lower), last = axis.coordToPixel(range.upper);
        const double lower = scaled(range.lower), upper = scaled(range.upper);
        m_pixels = (last - first) / (upper - lower);
        m_origin = first - lower * m_pixels;
    }
    double operator()(double value) const { return m_origin + m_pixels * scaled(value); }

private:
    double scaled(double value) const { return m_isLog ? std::log(value) : value; }

    bool m_isLog;
    double m_origin = 0, m_pixels = 1;
};

} // namespace

Dots::Dots(QCPAxis* keys, QCPAxis* values, const QVector<double>& x, const QVector<double>& y, const QPixmap& disc)
    : QCPGraph(keys, values)
    , m_x(x)
    , m_y(y)
    , m_disc(disc)
{
}

void Dots::draw(QCPPainter* painter)
{
    const QSizeF size = m_disc.deviceIndependentSize();
    const QPointF half(size.width() / 2, size.height() / 2);
    const QRectF area = QRectF(clipRect()).adjusted(-size.width(), -size.height(), size.width(), size.height());
    const int columns = static_cast<int>(area.width()) / 2 + 1, rows = static_cast<int>(area.height()) / 2 + 1;
    std::vector<bool> taken(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows));
    const ToPixel across(*keyAxis()), up(*valueAxis());
    for (qsizetype i = 0; i < m_x.size(); ++i) {
        const QPointF dot(across(m_x[i]), up(m_y[i]));
        if (!area.contains(dot)) // which holds of what is no number as well
            continue;
        const int column = static_cast<int>(dot.x() - area.left()) / 2,
                  row = static_cast<int>(dot.y() - area.top()) / 2;
        const auto place
            = static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(column);
        if (taken[place])
            continue;
        taken[place] = true;
        painter->drawPixmap(dot - half, m_disc);
    }
}

QPolygonF stepsInPixels(const QCPAxis& keys, const QCPAxis& values, const QVector<double>& x, const QVector<double>& y)
{
    QPolygonF corners;
    const ToPixel across(keys), up(values);
    const double right = keys.coordToPixel(keys.range().upper), left = keys.coordToPixel(keys.range().lower);
    for (qsizetype i = 0; i < x.size(); ++i) {
        const double at = across(x[i]);
        if (i + 1 < x.size() && across(x[i + 1]) < left)
            continue;
        if (i > 0 && across(x[i - 1]) > right)
            break;
        // Of those that share a pixel the first and the last: the line runs through both.
        if (!corners.isEmpty() && i + 1 < x.size() && across(x[i + 1]) < corners.last().x() + 1)
            continue;
        if (!corners.isEmpty())
            corners << QPointF(at, corners.last().y());
        corners << QPointF(at, up(y[i]));
    }
    return corners;
}

Steps::Steps(QCPAxis* keys, QCPAxis* values, const QVector<double>& x, const QVector<double>& y)
    : QCPGraph(keys, values)
    , m_x(x)
    , m_y(y)
{
}

void Steps::draw(QCPPainter* painter)
{
    applyDefaultAntialiasingHint(painter);
    const QPolygonF corners = stepsInPixels(*keyAxis(), *valueAxis(), m_x, m_y);
    if (pen().style() != Qt::SolidLine) {
        painter->setPen(pen());
        painter->setBrush(Qt::NoBrush);
        painter->drawPolyline(corners);
        return;
    }
    // Level and upright lines are bars, which are filled several times faster than a wide pen goes round corners.
    const double half = pen().widthF() / 2;
    const QRectF seen = QRectF(clipRect()).adjusted(-half, -half, half, half);
    for (qsizetype i = 0; i + 1 < corners.size(); ++i) {
        const QRectF bar = QRectF(corners[i], corners[i + 1]).normalized().adjusted(-half, -half, half, half);
        if (const QRectF there = bar.intersected(seen); !there.isEmpty())
            painter->fillRect(there, pen().color());
    }
}

} // namespace tilewright::ui
