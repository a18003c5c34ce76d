// SPDX-License-Identifier: GPL-3.0-or-later
// The lineage on screen. Wheel zooms, drag pans, click selects, double click comes closer; + - 0 zoom and fit, arrows
// walk from node to node, with Shift they pan. GUI thread. The picture is kept until it changes; rings and names
// are painted over it.
#pragma once

#include "ui/lineage/ancestry_lines.h"

#include <QWidget>

namespace tilewright::ui {

class LineageView : public QWidget
{
    Q_OBJECT

public:
    explicit LineageView(QWidget* parent = nullptr);

    void show(std::shared_ptr<const Lineage> lineage);
    /// Text in the middle while there is nothing else.
    void setMessage(const QString& message);
    /// Moves the view only where the candidate is out of sight.
    void setSelected(CandidateId candidate);
    void setReference(CandidateId candidate);
    void setHovered(CandidateId candidate);
    void setEmphasis(Emphasis emphasis);
    /// Nodes of other islands are dimmed; empty: none.
    void setIslands(const std::set<IslandId>& islands);
    void fit();
    void zoomBy(double factor);
    void centreOn(const QPointF& unit);
    const LineageScene& scene() const { return m_scene; }
    const AncestryLines& ancestry() const { return m_lines; }
    /// Where a node stands in this widget.
    QPoint placeOf(CandidateId candidate) const;

Q_SIGNALS:
    void chosen(tilewright::CandidateId candidate);
    void hovered(int node, const QPoint& at); ///< −1: none
    /// The menu of that candidate is wanted at this place of the screen.
    void menuRequested(tilewright::CandidateId candidate, const QPoint& global);
    void viewChanged(); ///< another part is seen, or another lineage

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void changed();
    void measure();
    void trace();
    int nodeNear(const QPointF& pixel) const;
    CandidateId neighbour(int key) const;
    void paintMarks(QPainter& painter) const;

    LineageScene m_scene;
    NodeSprites m_sprites;
    QImage m_shown; ///< null: to be painted anew
    AncestryLines m_lines;
    QString m_message;
    CandidateId m_selected, m_reference, m_hovered;
    std::vector<int> m_ancestry;
    QPointF m_pressed, m_dragged;
    bool m_dragging = false;
};

// The whole lineage, small, with a frame around what the view shows; a click or a drag moves the view. GUI thread.

class LineageMap : public QWidget
{
    Q_OBJECT

public:
    explicit LineageMap(LineageView* view);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    LineageScene whole() const;
    void moveTo(const QPointF& pixel);

    LineageView* m_view;
    QImage m_picture;
    /// What the picture shows. Not its bare address: another lineage may come to lie where a gone one lay.
    std::weak_ptr<const Lineage> m_shown;
};

} // namespace tilewright::ui
