// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/devices/noise_model.h"

#include "core/model/steadiness.h"
#include "ui/devices/work_words.h"
#include "ui/models/format.h"
#include "ui/theme/theme.h"

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

/// As fine as the plot that the table is the twin of.
QString finely(double floor) { return QString::number(floor * 100, 'f', 2) + u" %"_s; }

} // namespace

void NoiseModel::show(const WorkRecord& work)
{
    if (work.noise == m_points && work.devices == m_devices)
        return;
    beginResetModel();
    m_points = work.noise;
    m_devices = work.devices;
    endResetModel();
}

int NoiseModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_points.size());
}

int NoiseModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(Column::Count);
}

QVariant NoiseModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const NoisePoint& point = m_points[m_points.size() - 1 - static_cast<std::size_t>(index.row())];
    const auto column = static_cast<Column>(index.column());
    if (role == Qt::TextAlignmentRole)
        return QVariant((column == Column::Device ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role == Qt::ForegroundRole && column == Column::Floor && isNoisy(point.floor))
        return tokens().warning;
    if (role != Qt::DisplayRole)
        return {};
    const auto device = static_cast<std::size_t>(point.device);
    switch (column) {
    case Column::RunTime:
        return duration(point.runNs);
    case Column::Device:
        return point.device >= 0 && device < m_devices.size() ? deviceName(m_devices, m_devices[device].id) : u"–"_s;
    case Column::Floor: // a word beside the colour
        return isNoisy(point.floor) ? tr("high: ± %1").arg(finely(point.floor)) : u"± "_s + finely(point.floor);
    case Column::Timings:
        return grouped(point.blocks);
    case Column::Count:
        break;
    }
    return {};
}

QVariant NoiseModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant(
            (section == static_cast<int>(Column::Device) ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    const QString names[] = {tr("Run time"), tr("Device"), tr("Floor"), tr("Timings")};
    return role == Qt::DisplayRole ? QVariant(names[section]) : QVariant();
}

} // namespace tilewright::ui
