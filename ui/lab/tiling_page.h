// SPDX-License-Identifier: GPL-3.0-or-later
// The tiling explorer: what a tile of a matrix product takes of a GPU or of a CPU core, computed while its sizes are
// moved, beside a map of tiles that are measured. GUI thread.
#pragma once

#include "ui/lab/lab_model.h"
#include "ui/lab/tile_map_pane.h"
#include "ui/session/view_context.h"

#include "core/model/measurement/roofline.h"

#include <QWidget>

class QGridLayout;
class QLabel;
class QPushButton;
class QStackedWidget;

namespace tilewright::ui {

class ChoiceSlider;
class DockTitle;
class PlotPane;
class Segments;
class TilePicture;
class VerdictBar;
struct PointScene;

class TilingPage : public QWidget
{
    Q_OBJECT

public:
    TilingPage(LabModel& lab, const ViewContext& context, QWidget* parent = nullptr);
    void setTableTwin(bool table);
    QString statusText() const;
    using Device = TileDevice;
    Device device() const;
    void setDevice(Device device);
    TileMapPane& map() { return *m_map; }
    void takeSessionTile(); ///< that of the session's best candidate, if there is one

private:
    QWidget* buildControls();
    QWidget* buildPicture();
    void takeSliders();
    void showTile();
    void showLines(const TileReport& report);
    void offerSessionTile();
    TileReport report() const;
    PointScene roofline() const;
    PointScene cpuRoofline() const;
    /// Of this machine's core, as a sweep or the open session measured it, and where that is from.
    std::pair<DeviceLimits, QString> cpuLimits() const;

    LabModel& m_lab;
    ViewContext m_context;
    CpuFacts m_cpu;
    CudaFacts m_gpu;
    Segments* m_devices;
    DockTitle* m_tileTitle;
    QPushButton* m_fromSession;
    bool m_isSessionTileDue = true; ///< of the session that was opened
    QStackedWidget* m_sliders;
    ChoiceSlider *m_bm, *m_bn, *m_bk, *m_stages, *m_threads, *m_bytes;
    ChoiceSlider *m_mr, *m_nr, *m_kc, *m_mc, *m_nc;
    VerdictBar* m_verdict;
    QLabel *m_why, *m_stepText;
    QGridLayout* m_lines;
    struct Row {
        QLabel *name, *value, *limit, *formula;
    };
    std::vector<Row> m_rows;
    TilePicture* m_picture;
    QPushButton* m_play;
    TileMapPane* m_map;
    PlotPane* m_roofline;
};

} // namespace tilewright::ui
