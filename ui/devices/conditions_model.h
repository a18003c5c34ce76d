// SPDX-License-Identifier: GPL-3.0-or-later
// The table twin of the plot of conditions: what was seen of a device beside each measurement, the newest first. Grows
// with the run. GUI thread.
#pragma once

#include "core/engine/snapshot.h"

#include <QAbstractTableModel>

namespace tilewright::ui {

enum class Condition { Clock, Temperature, Power };

/// One of them; none where the device does not report it.
const std::optional<Readings>& readingsOf(const Conditions& seen, Condition what);
QString words(Condition what); ///< "clock"
QString unitOf(Condition what); ///< "MHz"
/// "1 980", "1 965–1 980", "–".
QString readingWords(const std::optional<Readings>& readings);
/// The lowest and the highest of all measurements, on this device where one is named; none where none reports it.
std::optional<Readings> rangeOf(const WorkRecord& work, Condition what, const std::string& device = {});
/// "none", "power limit in 12 of 40 blocks", "–".
QString throttlingWords(const Conditions& seen);
/// Of the device that a measurement was made on.
QString deviceOf(const WorkRecord& work, const Conditions& seen);

class ConditionsModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum class Column { RunTime, Candidate, Clock, Temperature, Power, Throttling, Device, Count };
    static constexpr int IdRole = Qt::UserRole + 1;

    using QAbstractTableModel::QAbstractTableModel;
    /// Whether anything is new.
    bool show(const WorkRecord& work);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString textOf(const Conditions& seen, Column column) const;

    WorkRecord m_work; ///< what of it is shown, alone
};

} // namespace tilewright::ui
