// SPDX-License-Identifier: GPL-3.0-or-later
// The lanes on screen. Wheel zooms, drag pans, click chooses, double click comes closer, bars at the edges scroll; + -
// 0 zoom and fit, left and right walk from piece to piece, up and down from lane to lane, with Shift arrows pan, Home
// and End go to the beginning and the newest, Enter chooses. GUI thread. The picture is kept until it changes; what is
// under way and what is pointed at are painted over it.
#pragma once

#include "ui/devices/lanes_painting.h"

#include <QAbstractScrollArea>

namespace tilewright::ui {

/// A piece of work in WorkLanes: lane and index; live: index into WorkLanes::live().
struct LanePlace {
    int lane = -1, span = -1, live = -1;

    bool operator==(const LanePlace&) const = default;
    explicit operator bool() const { return span >= 0 || live >= 0; }
};

class LanesView : public QAbstractScrollArea
{
    Q_OBJECT

public:
    explicit LanesView(QWidget* parent = nullptr);

    /// lanes must outlive the view, and shown again whenever they changed.
    void show(const WorkLanes& lanes, const QStringList& names, const QStringList& notes, double nowNs);
    void setNamer(std::function<QString(const LaneSpan&)> namer) { m_namer = std::move(namer); }
    void setMessage(const QString& message); ///< in the middle while there is nothing else
    void setNodeEnds(std::vector<double> ns);
    void setSelected(CandidateId candidate);
    void fit();
    void follow(bool on);
    void zoomBy(double factor);
    void showFrom(double ns);
    const LaneScene& scene() const { return m_scene; }
    const LaneSpan* at(const LanePlace& place) const; ///< null where there is nothing
    LanePlace current() const { return m_current; } ///< by keyboard or click
    /// The middle of a piece, in this widget.
    QPoint placeOf(const LanePlace& place) const;

Q_SIGNALS:
    void chosen(const tilewright::ui::LanePlace& place);
    void hovered(const tilewright::ui::LanePlace& place, const QPoint& at); ///< nothing: the pointer is elsewhere
    void currentChanged(const tilewright::ui::LanePlace& place);
    void viewChanged(); ///< another stretch of time is seen, or it follows, or follows no more

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    bool viewportEvent(QEvent* event) override;

private:
    void changed();
    void measure();
    LanePlace placeAt(const QPointF& pixel) const;
    void walk(int step);
    void changeLane(int step);
    void setCurrent(const LanePlace& place);
    void paintMarks(QPainter& painter) const;
    QRectF barOf(const LanePlace& place) const;

    WorkLanes m_none;
    LaneScene m_scene;
    std::function<QString(const LaneSpan&)> m_namer;
    double m_now = 0;
    std::vector<double> m_nodeEnds;
    QImage m_shown; ///< null: to be painted anew
    QString m_message;
    CandidateId m_selected;
    LanePlace m_hovered, m_current;
    int m_arrangement = 0;
    bool m_measuring = false, m_dragging = false;
    QPointF m_pressed, m_dragged;
};

} // namespace tilewright::ui
