// SPDX-License-Identifier: GPL-3.0-or-later
// The niches of one island as a grid in full size: viridis by the best member's score, its score where there is room,
// bounds of the bins at the axes. Arrows move from cell to cell; a click selects. GUI thread.
#pragma once

#include "core/engine/snapshot.h"
#include "ui/niches/niche_chart.h"

#include <QAbstractTableModel>
#include <QPoint>
#include <QWidget>

namespace tilewright::ui {

class NicheView : public QWidget
{
    Q_OBJECT

public:
    explicit NicheView(QWidget* parent = nullptr);

    void show(SnapshotPtr snapshot, const NicheChart& chart);
    void setSelected(CandidateId candidate);
    const NicheChart& chart() const { return m_chart; }
    /// The cell where the keyboard is: column and row.
    QPoint cursor() const { return m_cursor; }
    QRectF cellRect(int column, int row) const;

Q_SIGNALS:
    void chosen(tilewright::CandidateId candidate);
    void hovered(tilewright::CandidateId candidate, const QPoint& at);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    int columns() const;
    int rows() const;
    int firstColumn() const { return m_chart.across.unknown ? -1 : 0; }
    int firstRow() const { return m_chart.up.unknown ? -1 : 0; }
    QRectF area() const;
    void moveTo(const QPoint& cell);
    const NicheCell* cellAt(const QPointF& pixel) const;
    void paintCell(QPainter& painter, int column, int row) const;
    void paintAxes(QPainter& painter) const;

    SnapshotPtr m_snapshot = std::make_shared<const Snapshot>();
    NicheChart m_chart;
    CandidateId m_selected;
    QPoint m_cursor;
};

// The held niches of one island as a table. GUI thread.

class NicheModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum class Column { Across, Up, Best, Score, Author, Evaluation, Count };
    enum Role { IdRole = Qt::UserRole + 1 };

    using QAbstractTableModel::QAbstractTableModel;

    void show(SnapshotPtr snapshot, const NicheChart& chart);
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    SnapshotPtr m_snapshot = std::make_shared<const Snapshot>();
    NicheChart m_chart;
};

/// Who offered the candidate: "mutator", "writer", …; "seed" for the seed, "migrated from B" for a migrant.
QString offeredBy(const RunState& run, const Candidate& candidate);

} // namespace tilewright::ui
