// SPDX-License-Identifier: GPL-3.0-or-later
// Scores or times over the run: the plot, what its axes show, a stretch of it to narrow the table of candidates to, and
// the same rows as a table (Ctrl+T). GUI thread.
#pragma once

#include "ui/evolve/fitness_changes.h"
#include "ui/evolve/fitness_data.h"
#include "ui/models/candidate_filter.h"
#include "ui/models/candidate_model.h"
#include "ui/models/first_result.h"
#include "ui/session/file_watch.h"
#include "ui/session/view_context.h"

#include <QWidget>

class QComboBox;
class QStackedWidget;
class QToolButton;

namespace tilewright::ui {

class DockTitle;
class IslandLegend;
class PlotHover;
class Table;

class FitnessPanel : public QWidget
{
    Q_OBJECT

public:
    explicit FitnessPanel(const ViewContext& context, QWidget* parent = nullptr);
    void setTableTwin(bool table);
    void fit();
    /// How soon sessions before this one had their first results.
    void setEarlier(std::vector<SessionStart> earlier);
    DockTitle* title() { return m_title; }

private:
    void openMenu(const QPoint& at);
    struct Made {
        SnapshotPtr snapshot; ///< what it was made from
        FitnessData data;
    };

    /// What a user asked for, at once.
    void refresh();
    /// What the newest snapshot shows: of a short run at once, or how that of a long one is made.
    std::function<Made()> follow();
    std::function<Made()> howToMake() const;
    void show(const Made& made);
    void addChoices();
    /// As the session was looked at before.
    void recall();
    void look(const FitnessLook& look);
    void keep();
    void mark();
    void markRow(); ///< of the table
    void hover(int series, int index, const QPoint& at);
    void hoverChanges(const QVector<int>& marks, const QPoint& at);
    void hoverMigrations(int guide, const QPoint& at);
    void hoverIsland(int series, const QPoint& at);
    void hoverReference(int reference, const QPoint& at);
    std::optional<QPointF> placeOf(CandidateId id) const;
    QString messageOf() const;
    /// Time passes without events: what the plot says of the first result follows it.
    void tellFirstResult();

    ViewContext m_context;
    FitnessData m_data;
    FitnessChanges m_changes;
    FitnessMigrations m_migrations;
    std::vector<SessionStart> m_earlier;
    std::int64_t m_shownSeq = -1;
    DockTitle* m_title;
    IslandLegend* m_legend;
    FitnessLook m_look;
    QString m_lookOf; ///< the session that it is kept for
    QComboBox *m_axis, *m_value;
    QToolButton *m_migrationLines, *m_log, *m_brush;
    QStackedWidget* m_stack;
    PlotView* m_plot;
    PlotHover* m_hover;
    Table* m_table;
    CandidateModel m_model;
    CandidateFilter m_filter;
    MadeAside<Made> m_follow{[this] { return follow(); }, [this](const Made& made) { show(made); }}; ///< each snapshot
};

} // namespace tilewright::ui
