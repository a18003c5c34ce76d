// SPDX-License-Identifier: GPL-3.0-or-later
// The scores of a session's candidates over one of their tunables or resources: whether a tile has a best size is seen
// in real measurements. GUI thread.
#pragma once

#include "ui/compare/point_scene.h"
#include "ui/compare/rows_model.h"
#include "ui/lab/parallel_view.h"
#include "ui/session/view_context.h"

#include <QWidget>

class QComboBox;
class QStackedWidget;

namespace tilewright::ui {

class PlotPane;
class Table;

/// What candidates are laid out by: the value of a tunable, or a resource that the compiler or the node told.
struct TunableAxis {
    enum class Kind { Tunable, Registers, SharedMemory, MachineCode };
    Kind kind = Kind::Tunable;
    std::string tunable; ///< of Kind::Tunable

    bool operator==(const TunableAxis&) const = default;
};

/// Those that at least two ranked candidates have with different values; tunables first, most values first.
std::vector<TunableAxis> axesOf(const RunState& run);
/// Each ranked candidate at its value and its score, and a line over the best score of each value.
PointScene tunableScene(const RunState& run, const TunableAxis& axis);

/// One for each ranked candidate, through these axes.
std::vector<ParallelLine> parallelLines(const RunState& run, const std::vector<TunableAxis>& axes);

class TunablesPage : public QWidget
{
    Q_OBJECT

public:
    explicit TunablesPage(const ViewContext& context, QWidget* parent = nullptr);
    void setTableTwin(bool table);
    /// Something of the session has changed.
    void refresh();
    QString statusText() const;
    /// As soon as the session's candidates have it.
    void choose(const std::string& tunable);

private:
    QWidget* buildParallel();
    void showParallel();

    ViewContext m_context;
    ParallelView* m_parallel;
    QStackedWidget* m_stack; ///< the view, or the same as a table
    Table* m_table;
    RowsModel m_rows;
    PlotPane* m_plot;
    QComboBox* m_choice;
    std::vector<TunableAxis> m_axes;
    std::string m_wanted; ///< axis that is not there yet
};

} // namespace tilewright::ui
