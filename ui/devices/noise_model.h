// SPDX-License-Identifier: GPL-3.0-or-later
// The table twin of the noise plot: each measurement of the noise floor as a row, the newest first. GUI thread.
#pragma once

#include "core/engine/snapshot.h"

#include <QAbstractTableModel>

namespace tilewright::ui {

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

} // namespace tilewright::ui
