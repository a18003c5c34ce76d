// SPDX-License-Identifier: GPL-3.0-or-later
// The questions that wait for a user's reply: which island, what is asked, of which parent, since when. GUI thread.
#pragma once

#include "core/engine/snapshot.h"

#include <QAbstractTableModel>

namespace tilewright::ui {

class OpenPromptsModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum class Column { Island, Focus, Parent, Waiting, Count };

    using QAbstractTableModel::QAbstractTableModel;

    void show(const Snapshot& snapshot);
    /// Null beyond the last row.
    const ModelRequest* at(int row) const;
    int rowOf(ModelRequestId modelRequest) const; ///< -1: it is not open

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<ModelRequest> m_rows;
    std::vector<QString> m_islands; ///< names, by row
    std::int64_t m_nowNs = 0;
};

/// What a model request asks for: "explore", "repair, 2nd turn".
QString turnWords(const ModelRequest& modelRequest);

} // namespace tilewright::ui
