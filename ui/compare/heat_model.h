// SPDX-License-Identifier: GPL-3.0-or-later
// The figures of a comparison by shape and program, as a table whose cells have the colour of their ratio. GUI thread.
#pragma once

#include "ui/compare/comparing.h"
#include "ui/widgets/table.h"

#include <QAbstractTableModel>

namespace tilewright::ui {

class HeatModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Role { ShadeRole = Qt::UserRole, FrameRole, WidthRole, RowRole };
    enum class Row { Heading, Shape, Mean, Verdict };
    static constexpr int firstProgram = 2; ///< column

    using QAbstractTableModel::QAbstractTableModel;
    void show(const Comparing& comparing);
    const std::optional<Comparison>& comparison() const { return m_comparison; }
    /// The lowest and the highest ratio, which the colours reach from and to; equal where there are none.
    std::pair<double, double> range() const { return {m_low, m_high}; }
    /// Some ratio is lower than what the colours reach.
    bool isBelowRange() const { return m_lowest < m_low; }
    QString rateUnit() const; ///< "GFLOP/s", or "TFLOP/s" where there are thousands
    Row rowKind(int row) const { return m_rows[static_cast<std::size_t>(row)].kind; }
    /// "c-0304 is better on held-out shapes: 0.93 against 0.91 for c-0287"; empty where the same candidate leads on
    /// both.
    QString heldoutWarning() const;
    /// A line for each program that is not compared, or of which something else is to be known.
    QStringList remarks() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Line {
        Row kind = Row::Shape;
        ShapeSplit split = ShapeSplit::Train;
        std::size_t shape = 0;
    };
    const ComparedFigure& figureOf(const Line& line, std::size_t program) const;
    std::optional<double> timeOf(const Line& line, std::size_t program) const;
    std::optional<double> rateOf(const Line& line, std::size_t program) const;
    QString valueOf(const Line& line, std::size_t program) const;
    QString tipOf(const Line& line, std::size_t program) const;
    QString verdictOf(std::size_t program) const;
    /// The fastest candidate or file of a row; none where no ratio of one is known.
    std::optional<std::size_t> bestOf(const std::vector<ComparedFigure>& figures) const;
    QVariant firstColumns(const Line& line, int column, int role) const;

    std::optional<Comparison> m_comparison;
    std::vector<Line> m_rows;
    std::vector<QString> m_names;
    std::vector<Marker> m_markers;
    Comparing::Value m_value = Comparing::Value::Speedup;
    double m_low = 1, m_high = 1, m_lowest = 1;
    double m_unit = 1; ///< GFLOP/s
};

class HeatDelegate : public RowDelegate
{
    Q_OBJECT

public:
    using RowDelegate::RowDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

/// Its columns take the room that there is in equal parts, and are never narrower than what stands in them.
class HeatTable : public Table
{
    Q_OBJECT

public:
    explicit HeatTable(HeatModel& model, QWidget* parent = nullptr);
    void fit();
    /// As large as all that it holds.
    QSize wholeSize() const;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    HeatModel& m_model;
    std::vector<int> m_needed;
};

} // namespace tilewright::ui
