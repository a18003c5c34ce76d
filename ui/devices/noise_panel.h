// SPDX-License-Identifier: GPL-3.0-or-later
// The noise floor over the run, or the same as a table (Ctrl+T). GUI thread.
#pragma once

#include "core/engine/snapshot.h"
#include "ui/session/view_context.h"

#include <QAbstractTableModel>
#include <QFrame>

class QStackedWidget;

namespace tilewright::ui {

// The table twin of the noise plot: each measurement of the noise floor as a row, the newest first. GUI thread.

class NoiseModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum class Column { RunTime, Device, Floor, Timings, Count };

    using QAbstractTableModel::QAbstractTableModel;
    void show(const WorkRecord& work);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<NoisePoint> m_points; ///< oldest first
    std::vector<MeasuringDevice> m_devices;
};

class DockTitle;
class PlotView;
class Table;

class NoisePanel : public QFrame
{
    Q_OBJECT

public:
    explicit NoisePanel(const ViewContext& context, QWidget* parent = nullptr);
    void refresh();
    void setTableTwin(bool table);

private:
    ViewContext m_context;
    DockTitle* m_title;
    QStackedWidget* m_stack;
    PlotView* m_plot;
    Table* m_table;
    NoiseModel m_model;
    std::vector<NoisePoint> m_shown;
    std::int64_t m_untilNs = -1;
};

} // namespace tilewright::ui
