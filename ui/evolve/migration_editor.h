// SPDX-License-Identifier: GPL-3.0-or-later
// Where migrants go: in the ring, nowhere, or along ways that the user ticks in a grid of from and to. GUI thread.
#pragma once

#include "core/model/islands/island_steering.h"
#include "ui/evolve/edit_popup.h"

#include <QWidget>
#include <optional>
#include <set>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QScrollArea;
class QSpinBox;

namespace tilewright::ui {

class WaysPicture;

class MigrationEditor : public EditPopup
{
    Q_OBJECT

public:
    /// islands: those that migrants can leave and reach.
    MigrationEditor(const MigrationPlan& plan, const std::vector<IslandId>& islands, QWidget* parent);
    /// What the note says of the time from which on the plan holds, where there is nothing to correct.
    void sayFromWhen(const QString& words);

Q_SIGNALS:
    void accepted(const tilewright::MigrationPlan& plan);

protected:
    void accept() override;

private:
    void addGrid(const MigrationPlan& plan, const std::vector<IslandId>& islands);
    void enable();
    void toggle(IslandId from, IslandId to);
    MigrationPlan chosen() const;

    QComboBox* m_ways;
    QSpinBox* m_interval;
    WaysPicture* m_picture;
    QScrollArea* m_scroll;
    std::vector<std::pair<MigrationPlan::Edge, QCheckBox*>> m_edges;
    QLabel* m_note;
    QString m_fromWhen;
    QWidget* m_apply;
};

// Islands in a circle with the ways of migrants between them, drawn by dragging from one island to another. GUI thread.

class WaysPicture : public QWidget
{
    Q_OBJECT

public:
    explicit WaysPicture(std::vector<IslandId> islands, QWidget* parent = nullptr);
    void setWays(const std::set<MigrationPlan::Edge>& ways);
    /// Its badge, in the widget.
    QRectF placeOf(IslandId island) const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    /// A way was drawn: one that is there already is meant to go.
    void drawn(tilewright::IslandId from, tilewright::IslandId to);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    std::optional<IslandId> islandAt(const QPointF& at) const;
    void drawWay(QPainter& painter, const QPointF& from, const QPointF& to) const;

    std::vector<IslandId> m_islands;
    std::set<MigrationPlan::Edge> m_ways;
    std::optional<IslandId> m_from; ///< where the way that is being drawn begins
    QPointF m_to;
};

} // namespace tilewright::ui
