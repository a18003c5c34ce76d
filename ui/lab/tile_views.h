// SPDX-License-Identifier: GPL-3.0-or-later
// A tile drawn on the matrices that it is part of, the map of all tiles of two sizes, and the verdict as a bar.
// GUI thread.
#pragma once

#include "core/tiling/tile_line.h"

#include <QTimer>
#include <QWidget>
#include <functional>
#include <vector>

namespace tilewright::ui {

/// Which part of A, B and C one tile uses, step by step along K. The steps play unless the user reduces motion.
class TilePicture : public QWidget
{
    Q_OBJECT

public:
    /// Of the matrices and of the tile: m, n, k.
    struct Extent {
        double m = 1, n = 1, k = 1;
        bool operator==(const Extent&) const = default;
    };

    explicit TilePicture(QWidget* parent = nullptr);
    void show(const Extent& matrices, const Extent& tile);
    using QWidget::show;
    void setPlaying(bool on);
    bool isPlaying() const { return m_clock.isActive(); }
    void step();
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void stepped(const QString& words);

protected:
    void paintEvent(QPaintEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    int steps() const;
    QString words() const;

    Extent m_matrices, m_tile;
    int m_step = 0;
    QTimer m_clock;
};

/// A grid of tiles by two of their sizes; a click, or the arrow keys, choose one.
class TileMap : public QWidget
{
    Q_OBJECT

public:
    struct Cell {
        QString value, note;
        double shade = 0; ///< 0 … 1; below: there is no figure
        TileVerdict verdict = TileVerdict::JustRight; ///< hatched where it is another
        QString words = {}; ///< that say it all: read aloud, and of the tooltip
    };

    explicit TileMap(QWidget* parent = nullptr);
    /// Cells row by row, the smallest row value first.
    void show(const QString& rowName, const std::vector<int>& rows, const QString& columnName,
        const std::vector<int>& columns, std::vector<Cell> cells, int chosen);
    using QWidget::show;
    const std::vector<Cell>& cells() const { return m_cells; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void chosen(int row, int column);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QRectF area() const;
    QRectF cellAt(int row, int column) const;
    int indexAt(const QPointF& place) const; ///< −1: no cell

    QString m_rowName, m_columnName;
    std::vector<int> m_rows, m_columns;
    std::vector<Cell> m_cells;
    int m_chosen = -1; ///< index of a cell
};

/// Three fields, of which the verdict's is filled.
class VerdictBar : public QWidget
{
    Q_OBJECT

public:
    using QWidget::QWidget;
    void show(TileVerdict verdict);
    using QWidget::show;
    TileVerdict verdict() const { return m_verdict; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    TileVerdict m_verdict = TileVerdict::JustRight;
};

} // namespace tilewright::ui
