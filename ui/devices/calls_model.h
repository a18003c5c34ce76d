// SPDX-License-Identifier: GPL-3.0-or-later
// What each model of a run is doing, was asked, used and cost. GUI thread.
#pragma once

#include "core/engine/snapshot.h"

#include <QAbstractTableModel>

namespace tilewright::ui {

struct CallsRow {
    QString name;
    QString now; ///< "2 in flight", "paused: …"
    QString limits; ///< a line for each that its server told; "" where it told none
    bool troubled = false;
    std::int64_t calls = 0, unanswered = 0;
    TokenUsage tokens;
    std::int64_t costMicroUsd = 0, unpriced = 0;

    bool operator==(const CallsRow&) const = default;
};

/// Models only: what is built in is asked nothing.
std::vector<CallsRow> callsOf(const Snapshot& snapshot);

class CallsModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum class Column { Name, Now, Calls, Failed, Read, Written, Cost, Count };

    using QAbstractTableModel::QAbstractTableModel;
    void show(const Snapshot& snapshot);
    /// What keeps models from answering, a line each, whole: "writer: 3 failures, waiting 8 s: HTTP 503".
    QString troubles() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<CallsRow> m_rows;
};

} // namespace tilewright::ui
