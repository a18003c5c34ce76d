// SPDX-License-Identifier: GPL-3.0-or-later
// The shapes of one evaluation: times, ratios, rates. GUI thread. Held-out rows are left out until confirmation.
#pragma once

#include "core/model/run_state.h"

#include <QAbstractTableModel>

namespace tilewright::ui {

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
