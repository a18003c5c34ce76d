// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/evolve_page.h"

#include "ui/evolve/candidate_actions.h"
#include "ui/evolve/candidate_delegate.h"
#include "ui/evolve/candidate_inspector.h"
#include "ui/evolve/candidate_table.h"
#include "ui/evolve/fitness_panel.h"
#include "ui/evolve/island_actions.h"
#include "ui/evolve/island_editor.h"
#include "ui/evolve/islands_panel.h"
#include "ui/evolve/migration_editor.h"
#include "ui/evolve/records_panel.h"
#include "ui/lineage/lineage_panel.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/fields.h"
#include "ui/widgets/pane.h"

#include <QDockWidget>
#include <QMenu>
#include <QToolButton>
#include <algorithm>
#include <memory>
#include <set>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {
constexpr int layoutVersion = 4;
} // namespace

EvolvePage::EvolvePage(const ViewContext& context, QWidget* parent)
    : Workspace(context.settings, u"evolve"_s, layoutVersion, parent)
    , m_context(context)
    , m_fitness(new FitnessPanel(context, this))
    , m_islands(new IslandsPanel(context, this))
    , m_lineage(new LineagePanel(context, this))
    , m_inspector(new CandidateInspector(context, this))
    , m_records(new RecordsPanel(context, this))
    , m_islandsTitle(new DockTitle(tr("Islands"), this))
    , m_candidateTitle(new DockTitle(tr("Candidate"), this))
{
    setObjectName(u"evolvePage"_s);
    setArrangement([this] { arrange(); });
    // What is tabbed in low windows stands side by side where there is room.
    setVariants([this] { return isLow() ? u"-low"_s : QString(); });
    // Without a central widget each layout gives some of the middle's width to the sides; this one takes no room.
    auto* keeper = new QWidget(this);
    keeper->setMaximumHeight(0);
    setCentralWidget(keeper);
    for (const QString& id : {u"candidate.back"_s, u"candidate.forward"_s, u"candidate.reference"_s}) {
        auto* button = new QToolButton(this);
        button->setDefaultAction(&context.actions[id]);
        button->setAccessibleName(context.actions[id].text());
        button->setIconSize(QSize(px(14), px(14)));
        m_candidateTitle->addControl(button);
    }
    m_islandsTitle->addControl(m_islands->menuButton());
    m_islandsDock = addDock(u"islandsDock"_s, tr("Islands"), m_islandsTitle, m_islands);
    m_fitnessDock = addDock(u"fitnessDock"_s, tr("Fitness"), m_fitness->title(), m_fitness);
    m_candidateDock = addDock(u"candidateDock"_s, tr("Candidate"), m_candidateTitle, m_inspector);
    m_lineageDock = addDock(u"lineageDock"_s, tr("Lineage"), m_lineage->title(), m_lineage);
    m_recordsDock = addDock(u"recordsDock"_s, tr("Records"), m_records->title(), m_records);
    resetLayout();
    orderTabs();
    m_lineage->setRowDelegate(new CandidateDelegate(context.selection, m_lineage));
    m_actions = new CandidateActions(context, this);
    connect(m_inspector, &CandidateInspector::menuRequested, m_actions, &CandidateActions::popUp);
    connect(m_inspector, &CandidateInspector::loading, m_candidateTitle, &DockTitle::setLoading);
    connect(m_records, &RecordsPanel::menuRequested, m_actions, &CandidateActions::popUp);
    connect(m_lineage, &LineagePanel::menuRequested, m_actions, &CandidateActions::popUp);
    connect(
        &context.session, &SessionClient::changed, this, [this] { m_islandsTitle->setSubForms(m_islands->summary()); });
}

/// As it is read, whatever was made first: islands, fitness, lineage, records, candidate.
void EvolvePage::orderTabs()
{
    QWidget* before = nullptr;
    for (QWidget* part : std::initializer_list<QWidget*>{m_islandsTitle, m_islands, m_fitness->title(), m_fitness,
             m_lineage->title(), m_lineage, m_records->title(), m_records, m_candidateTitle, m_inspector})
        for (QWidget* one : part->findChildren<QWidget*>()) {
            if (one->focusPolicy() == Qt::NoFocus || one->focusProxy() || one->window() != window())
                continue;
            if (before)
                setTabOrder(before, one);
            before = one;
        }
}

void EvolvePage::arrange()
{
    // There is no central widget: what stands in the middle can be floated and closed like the rest, and what is left
    // takes its room.
    addDockWidget(Qt::LeftDockWidgetArea, m_islandsDock);
    addDockWidget(Qt::RightDockWidgetArea, m_candidateDock);
    for (QDockWidget* one : {m_fitnessDock, m_lineageDock, m_recordsDock})
        addDockWidget(Qt::BottomDockWidgetArea, one);
    splitDockWidget(m_fitnessDock, m_lineageDock, Qt::Vertical);
    // One above the other where there is room for both; else as tabs.
    if (isLow())
        tabifyDockWidget(m_lineageDock, m_recordsDock);
    else
        splitDockWidget(m_lineageDock, m_recordsDock, Qt::Vertical);
    if (isSlim())
        tabifyDockWidget(m_islandsDock, m_candidateDock);
    // Measures of the design at 1612 px; narrower windows give the sides less.
    const int left = px(isNarrow() ? 240 : 300), right = px(isNarrow() ? 350 : 400);
    resizeDocks({m_islandsDock, m_fitnessDock, m_candidateDock},
        {left, std::max(px(320), width() - left - right), right}, Qt::Horizontal);
    if (isLow())
        resizeDocks({m_fitnessDock, m_recordsDock}, {height() * 52 / 100, height() * 48 / 100}, Qt::Vertical);
    else
        resizeDocks({m_fitnessDock, m_lineageDock, m_recordsDock},
            {height() * 36 / 100, height() * 40 / 100, height() * 24 / 100}, Qt::Vertical);
}

bool EvolvePage::isLow() const { return height() < px(820); }

IslandActions& EvolvePage::islandActions() { return m_islands->actions(); }

/// It may have been closed, or lie below another.
void EvolvePage::bringCandidate()
{
    m_candidateDock->show();
    m_candidateDock->raise();
}

void EvolvePage::showRuns()
{
    bringCandidate();
    m_inspector->setTab(TextTabs::Runs);
}

void EvolvePage::showLine(TextTabs::Tab tab, int line)
{
    bringCandidate();
    m_inspector->showLine(tab, line);
}

void EvolvePage::find()
{
    if (!m_records->find())
        m_inspector->find();
}

void EvolvePage::showEventLine(int row)
{
    m_recordsDock->show();
    m_recordsDock->raise();
    m_records->showEventLine(row);
}

void EvolvePage::setTableTwin(bool table)
{
    m_fitness->setTableTwin(table);
    m_islands->setTableTwin(table);
    m_lineage->setTableTwin(table);
    m_records->setTableTwin(table);
}

void EvolvePage::setLoading(bool loading)
{
    for (DockTitle* title :
        {m_fitness->title(), m_islandsTitle, m_candidateTitle, m_lineage->title(), m_records->title()})
        title->setLoading(loading);
}

void EvolvePage::setEarlier(std::vector<SessionStart> earlier) { m_fitness->setEarlier(std::move(earlier)); }

void EvolvePage::fitPlots()
{
    m_fitness->fit();
    m_lineage->fit();
}

QString EvolvePage::statusText()
{
    const CandidateTable& candidates = m_records->candidates();
    const QString all = counted(candidates.all(), tr("%1 candidate"), tr("%1 candidates"));
    return !candidates.isFiltered() || candidates.matching() == candidates.all()
        ? all
        : tr("%1, %2").arg(all, counted(candidates.matching(), tr("%1 matches"), tr("%1 match")));
}

void EvolvePage::addFinderPlaces(std::vector<FinderPlace>& places)
{
    const EngineStatus& status = m_context.session.snapshot().status;
    if (!status.sessionOpen || status.readOnly)
        return;
    addIslands(places);
    addIslandCommands(places);
}

void EvolvePage::addIslands(std::vector<FinderPlace>& places)
{
    const RunState& run = m_context.session.run();
    std::vector<IslandId> living;
    for (const Island& island : run.islands)
        if (island.standing != Standing::Ended)
            living.push_back(island.id);
    if (living.empty())
        return;
    const auto show = [this] { bring(); };
    const IslandEditor editor(*run.island(living.front()), IslandEditor::Asks::Models, this);
    for (const IslandId island : living)
        for (const auto& [name, words, field] : fieldsOf(editor))
            places.push_back({name, tr("Island %1").arg(text(islandLetter(island))), words, [this, show, island, name] {
                                  show();
                                  islandActions().steer(island);
                                  focusIn(opened<IslandEditor>(*window()), name);
                              }});
    const MigrationEditor migration(run.settings.migration, living, this);
    for (const auto& [name, words, field] : fieldsOf(migration))
        places.push_back({name, tr("Migration between islands"), words, [this, show, name] {
                              show();
                              islandActions().planMigration();
                              focusIn(opened<MigrationEditor>(*window()), name);
                          }});
}

namespace {

struct MenuEntry {
    QStringList path; ///< "Merge into", "B Exploit"
    QAction* action;
};

void addEntries(const QMenu& menu, const QStringList& path, std::vector<MenuEntry>& into)
{
    for (QAction* action : menu.actions()) {
        if (action->isSeparator() || !action->isEnabled())
            continue;
        const QStringList here = path + QStringList{action->text().remove(u'&').remove(u'…')};
        if (action->menu())
            addEntries(*action->menu(), here, into);
        else
            into.push_back({here, action});
    }
}

} // namespace

/// The orders of the islands' menus, which hold those to all once for each island as well.
void EvolvePage::addIslandCommands(std::vector<FinderPlace>& places)
{
    const auto menu = std::make_shared<QMenu>();
    islandActions().fillAll(*menu);
    std::vector<MenuEntry> entries;
    addEntries(*menu, {}, entries);
    std::set<QStringList> ofAll;
    for (const MenuEntry& entry : entries)
        ofAll.insert(entry.path);
    for (const auto& [path, action] : entries)
        if (!ofAll.contains(path.mid(1)))
            places.push_back({path.join(u" › "_s), tr("Islands"), {}, [this, menu, action] {
                                  bring();
                                  action->trigger();
                              }});
}

} // namespace tilewright::ui
