// SPDX-License-Identifier: GPL-3.0-or-later
// The map of tiles by two of their sizes: computed, or measured on this machine's device by a sweep, or as a sweep
// recorded it. The prediction stands beside what was measured. GUI thread.
#pragma once

#include "ui/lab/kept_sweeps.h"
#include "ui/lab/lab_model.h"
#include "ui/lab/sweep_run.h"
#include "ui/lab/tile_views.h"

#include <QFrame>

class QComboBox;
class QLabel;
class QPushButton;

namespace tilewright::ui {

class DockTitle;
class Segments;

enum class TileDevice { Gpu, Cpu };

class TileMapPane : public QFrame
{
    Q_OBJECT

public:
    TileMapPane(LabModel& lab, const CpuFacts& cpu, const CudaFacts& gpu, QWidget* parent = nullptr);
    /// The map of this device's tiles, around the lab's tile.
    void show(TileDevice device);
    using QWidget::show;
    void setMeasured(bool isMeasured); ///< or computed
    /// What is shown as measured; null: nothing is.
    const KeptSweep* shownSweep() const;
    SweepRun& run() { return m_run; }

Q_SIGNALS:
    void sweepChanged(); ///< another one is shown, or more of it is measured

private:
    struct Axes {
        SweepAxis rows, columns;
        QString rowName, columnName;
        TileFigure figure; ///< that is computed for each cell
    };
    std::vector<Axes> axesOf(TileDevice device) const;
    const Axes& axes() const { return m_axes[static_cast<std::size_t>(m_axis)]; }
    Tunables tile() const;
    TileReport reportOf(const Tunables& tile, const ProductSize& size) const;
    void offerAxes();
    void measureOrStop();
    void findSweep();
    void showMap();
    void showComputed();
    void showMeasured(const KeptSweep& kept);
    void showCells(std::vector<TileMap::Cell> cells);
    void showTitle();
    void chooseCell(int row, int column);
    QString computedWords(const Tunables& tile, const ProductSize& size) const;
    bool isOfThisDevice(const KeptSweep& kept) const;
    QString provenance(const KeptSweep& kept) const;

    LabModel& m_lab;
    const CpuFacts& m_cpu;
    const CudaFacts& m_gpu;
    TileDevice m_device = TileDevice::Gpu;
    std::vector<Axes> m_axes; ///< of the device
    int m_axis = 0;
    std::vector<KeptSweep> m_kept;
    std::optional<KeptSweep> m_shown; ///< that fits the tile and the axes
    SweepRun m_run;
    QString m_problem; ///< why nothing could be measured
    DockTitle* m_title;
    Segments* m_shows;
    QComboBox* m_axisBox;
    QPushButton* m_measure;
    TileMap* m_map;
    QLabel* m_words; ///< of the chosen cell
};

} // namespace tilewright::ui
