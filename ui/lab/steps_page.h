// SPDX-License-Identifier: GPL-3.0-or-later
// How a session's best program came about: the programs from the seed to it, what each changed, and what each gained.
// GUI thread.
#pragma once

#include "core/model/parent_change.h"
#include "ui/compare/point_scene.h"
#include "ui/compare/rows_model.h"
#include "ui/session/view_context.h"

#include <QWidget>
#include <optional>

class QLabel;
class QStackedWidget;

namespace tilewright::ui {

class CodeView;
class DockTitle;
class PlotPane;
class SplitDiff;
class Table;

/// One ranked program on the way from the seed.
struct KernelStep {
    CandidateId candidate;
    QString title; ///< of the edit; of a tuned version its constants
    Interval score;
    std::optional<ParentChange> change; ///< against the step before; none for the seed

    bool operator==(const KernelStep&) const = default;
};

/// From the seed to the candidate, by first parents that are ranked. Empty for one without a score.
std::vector<KernelStep> stepsTo(const RunState& run, CandidateId candidate);
/// The score of each step.
PointScene stepScene(const std::vector<KernelStep>& steps);

class StepsPage : public QWidget
{
    Q_OBJECT

public:
    explicit StepsPage(const ViewContext& context, QWidget* parent = nullptr);
    void setTableTwin(bool table);
    /// Something of the session has changed.
    void refresh();
    QString statusText() const;
    const std::vector<KernelStep>& steps() const { return m_steps; }
    int step() const { return m_step; } ///< from 0, the seed
    /// Kept within the steps; as soon as the session has them.
    void choose(int step);

Q_SIGNALS:
    void stepChanged();

private:
    void showStep();
    void takeText(quint64 tag, const QString& text);

    ViewContext m_context;
    Table* m_table;
    RowsModel m_rows;
    PlotPane* m_plot;
    QLabel* m_words;
    DockTitle* m_changeTitle;
    QStackedWidget* m_texts; ///< the diff, or the seed
    SplitDiff* m_diff;
    CodeView* m_seed;
    std::vector<KernelStep> m_steps;
    int m_step = 0, m_wanted = 0; ///< m_wanted: what was chosen, if it is there
    bool m_isFilling = false;
    struct Asked {
        quint64 before = 0, after = 0;
    };
    Asked m_asked; ///< texts that are on their way
    std::optional<QString> m_before, m_after;
};

} // namespace tilewright::ui
