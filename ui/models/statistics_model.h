// SPDX-License-Identifier: GPL-3.0-or-later
// How models and templates did: a row each, with how a model does at this moment. GUI thread.
#pragma once

#include "core/engine/snapshot.h"
#include "core/model/requests/reply_outcome.h"

#include <QAbstractTableModel>

namespace tilewright::ui {

/// Below enoughForAMean there is none to be told.
bool hasMeanGain(const PromptStatistics& figures);
/// Child over parent speed, the mean with its interval: "+3.1 % [−0.4 %, +6.6 %]"; empty below enoughForAMean.
QString meanGainWords(const PromptStatistics& figures);
/// The same with the number that it stands on; that they are too few below enoughForAMean.
QString gainWords(const PromptStatistics& figures);

class StatisticsModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum class Grouping { Model, Template };
    /// What is asked for most comes first: where the table is narrow, the last ones are scrolled to.
    enum class Column { Name, State, Asked, Gain, Tokens, Cost, Accepted, Proposals, Clean, Built, Reward, Count };

    using QAbstractTableModel::QAbstractTableModel;

    void show(const Snapshot& snapshot, Grouping grouping);
    /// Of a model's row; null for a template's, and for one that no run asks now.
    const ModelStatus* statusAt(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        QString name;
        PromptStatistics figures;
        std::optional<ModelStatus> status;
        std::optional<ModelStatistics> statistics;
        std::optional<PatchTally> patches; ///< of a model

        bool operator==(const Row&) const = default;
    };
    std::vector<Row> rowsOf(const Snapshot& snapshot, Grouping grouping) const;
    static QString stateOf(const Row& row);
    static QString stateLines(const Row& row);

    std::vector<Row> m_rows;
    std::shared_ptr<const RunStatistics> m_statistics; ///< which the tallies go with: they take as long to make
    std::map<std::string, PatchTally> m_patches; ///< by author
};

/// "$1.20", "at least $1.20" where some costs are unknown, "unknown" where all are, "–" for nothing.
QString spentWords(std::int64_t microUsd, std::int64_t unpriced, std::int64_t tokens);

} // namespace tilewright::ui
