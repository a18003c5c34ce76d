// SPDX-License-Identifier: GPL-3.0-or-later
// The Evolve mode: fitness, islands, candidate, lineage and records as docks. The layout is kept between starts, and
// under names that a user gave. GUI thread.
#pragma once

#include "ui/docks/workspace.h"
#include "ui/evolve/text_tabs.h"
#include "ui/models/first_result.h"
#include "ui/session/screen.h"
#include "ui/session/view_context.h"

namespace tilewright::ui {

class CandidateInspector;
class CandidateActions;
class FitnessPanel;
class IslandActions;
class IslandsPanel;
class LineagePanel;
class RecordsPanel;

class EvolvePage : public Workspace, public Screen
{
    Q_OBJECT

public:
    explicit EvolvePage(const ViewContext& context, QWidget* parent = nullptr);

    QWidget& asWidget() override { return *this; }
    Workspace* docks() override { return this; }
    QString statusText() override;
    void addFinderPlaces(std::vector<FinderPlace>& places) override;
    void setTableTwin(bool table) override;
    /// Fitness and lineage show everything again.
    bool canFit() const override { return true; }
    void fitPlots() override;
    /// How soon sessions before this one had their first results.
    void setEarlier(std::vector<SessionStart> earlier);
    /// A thin bar below every title while another session is on its way; what is shown stays.
    void setLoading(bool loading) override;
    CandidateInspector& inspector() { return *m_inspector; }
    RecordsPanel& records() { return *m_records; }
    const CandidateActions& actions() const { return *m_actions; }
    IslandActions& islandActions();
    /// What the selected candidate was measured at, in sight.
    void showRuns();
    /// This text of the selected candidate, with a line from 1 in the middle of what is seen.
    void showLine(TextTabs::Tab tab, int line);
    /// Ctrl+F: to the words of the log's filter, where the keyboard is in the log; else to those of the text.
    bool canFind() const override { return true; }
    void find() override;
    /// A row of the event log, from 0.
    void showEventLine(int row);

private:
    void addIslands(std::vector<FinderPlace>& places);
    void addIslandCommands(std::vector<FinderPlace>& places);
    void arrange();
    void bringCandidate();
    void orderTabs();
    bool isLow() const; ///< too low for lineage and records one above the other

    ViewContext m_context;
    FitnessPanel* m_fitness;
    IslandsPanel* m_islands;
    LineagePanel* m_lineage;
    CandidateInspector* m_inspector;
    RecordsPanel* m_records;
    CandidateActions* m_actions;
    DockTitle *m_islandsTitle, *m_candidateTitle;
    QDockWidget *m_islandsDock, *m_fitnessDock, *m_candidateDock, *m_lineageDock, *m_recordsDock;
};

} // namespace tilewright::ui
