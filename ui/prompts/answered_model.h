// SPDX-License-Identifier: GPL-3.0-or-later
// What came of replies given manually: a row for each edit of each reply, newest reply first. GUI thread.
#pragma once

#include "core/engine/snapshot.h"
#include "core/model/requests/reply_outcome.h"

#include <QAbstractTableModel>

namespace tilewright::ui {

class AnsweredModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum class Column { Prompt, Outcome, Standing, Count };
    static constexpr int IdRole = Qt::UserRole; ///< of the row: request and part

    using QAbstractTableModel::QAbstractTableModel;

    void show(const Snapshot& snapshot);
    struct Row {
        ModelRequestId modelRequest;
        QString prompt; ///< "0007", or "no. 7" where there is no folder
        QString outcome, standing;
        CandidateId candidate; ///< none: it was refused
        int part = 0;

        bool operator==(const Row&) const = default;
    };
    /// Null beyond the last row.
    const Row* at(int row) const;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<Row> m_rows;
    std::int64_t m_seen = -1; ///< the last event that is in them
    std::string m_session;
};

} // namespace tilewright::ui
