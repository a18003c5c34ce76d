// SPDX-License-Identifier: GPL-3.0-or-later
// All evaluations of one candidate, newest first: results are added, never overwritten. GUI thread.
#pragma once

#include "core/model/run_state.h"

#include <QAbstractTableModel>

namespace tilewright::ui {

class RunsModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum class Column {
        Number,
        Purpose,
        Place,
        Outcome,
        Verdict,
        Score,
        Agreement,
        Samples,
        Vendor,
        Noise,
        Wall,
        Count
    };

    using QAbstractTableModel::QAbstractTableModel;

    /// task: by which the shapes of a run are named; may be null.
    void show(const RunState& run, CandidateId candidate, const Task* task);
    /// Null for a row that is not there.
    const Evaluation* at(int row) const;
    /// What a re-run says of the verdict that holds, in a sentence; empty of others.
    QString findingAt(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        Evaluation evaluation;
        QString place; ///< shapes, and the device if it is not the run's
        QString agreement, finding; ///< of a re-run with the verdict that holds: a word, and a sentence

        bool operator==(const Row&) const = default;
    };

    std::vector<Row> m_rows;
};

// The shapes of one evaluation: times, ratios, rates. GUI thread. Held-out rows are left out until confirmation.

class ShapeModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum class Column { Shape, Split, Bar, Ratio, Rate, Time, Count };
    /// What the ratio is against: the vendor where it was measured, else the baseline, else the incumbent.
    enum class Against { Vendor, Baseline, Incumbent };
    enum Role { RatioRole = Qt::UserRole, BaselineTickRole, HeldoutRole, ScaleRole };

    using QAbstractTableModel::QAbstractTableModel;

    void show(const Candidate& candidate, const Evaluation* evaluation, const Task* task);
    void clear();
    Against against() const { return m_against; }
    QString againstWords() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        ShapeResult result;
        std::optional<double> rate;
    };
    std::optional<double> ratioOf(const ShapeResult& result) const;

    std::vector<Row> m_rows;
    Against m_against = Against::Vendor;
    double m_scale = 1; ///< ratio at the end of the bar
    bool m_inTera = false; ///< rates are told in TFLOP/s, as one of them is of five digits in GFLOP/s
};

} // namespace tilewright::ui
