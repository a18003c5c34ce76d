// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/island_actions.h"

#include "core/engine/session/undo_history.h"
#include "ui/evolve/hint_editor.h"
#include "ui/evolve/island_editor.h"
#include "ui/evolve/migration_editor.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"

#include <QMenu>
#include <array>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr std::array<Focus, 4> aims{Focus::Explore, Focus::Exploit, Focus::Crossover, Focus::Tune};

QString called(IslandId island) { return IslandActions::tr("island %1").arg(text(islandLetter(island))); }

} // namespace

IslandActions::IslandActions(const ViewContext& context, QWidget* parent)
    : QObject(parent)
    , m_context(context)
    , m_parent(parent)
{
}

bool IslandActions::isWritable() const
{
    const EngineStatus& status = m_context.session.snapshot().status;
    return status.sessionOpen && !status.readOnly;
}

void IslandActions::order(const IslandCommand& order) { m_context.session.execute(order); }

void IslandActions::addOrder(QMenu& menu, const QString& name, const QString& words, const IslandCommand& what)
{
    QAction* action = name.isEmpty() ? menu.addAction(words) : menu.addAction(icon(name, Tint::Secondary), words);
    connect(action, &QAction::triggered, this, [this, what] { order(what); });
}

void IslandActions::addAims(QMenu& menu, const Island& island)
{
    QMenu* focus = menu.addMenu(tr("&Focus"));
    const auto add = [&](const QString& words, std::optional<Focus> aim, bool holds) {
        IslandSteering steering = island.steering;
        steering.focus = aim;
        steering.mix.reset();
        QAction* action = focus->addAction(words);
        action->setCheckable(true);
        action->setChecked(holds);
        connect(action, &QAction::triggered, this, [this, id = island.id, steering] {
            order(commands::SteerIsland{id, steering});
        });
    };
    add(tr("Chosen by the strategy"), std::nullopt, !island.steering.focus && !island.steering.mix);
    for (const Focus aim : aims)
        add(tr("Only %1").arg(words(aim)), aim, island.steering.focus == aim);
}

void IslandActions::addOthers(QMenu& menu, const Island& island)
{
    QMenu* merge = menu.addMenu(icon(u"fork"_s, Tint::Secondary), tr("&Merge into"));
    for (const Island& other : m_context.session.run().islands)
        if (other.id != island.id && other.standing != Standing::Ended)
            addOrder(*merge, {}, text(islandLetter(other.id) + " " + other.name),
                commands::MergeIsland{island.id, other.id});
    merge->setEnabled(!merge->isEmpty());
    QMenu* reset = menu.addMenu(icon(u"redo"_s, Tint::Secondary), tr("&Reset"));
    addOrder(*reset, {}, tr("To the seed only"), commands::ResetIsland{island.id, commands::Beginning::Seed});
    addOrder(*reset, {}, tr("To the best of the other islands"),
        commands::ResetIsland{island.id, commands::Beginning::Best});
}

void IslandActions::fillFor(QMenu& menu, IslandId id)
{
    menu.clear();
    const Island* island = m_context.session.run().island(id);
    if (!island)
        return;
    if (island->standing == Standing::Ended) {
        menu.addAction(island->mergedInto
                    ? tr("It was merged into %1; its history is kept").arg(called(island->mergedInto))
                    : tr("It has ended; its history is kept"))
            ->setEnabled(false);
    } else {
        if (island->standing == Standing::Paused)
            addOrder(menu, u"play"_s, tr("Resume %1").arg(called(id)), commands::ResumeIsland{id});
        else
            addOrder(menu, u"pause"_s, tr("Pause %1").arg(called(id)), commands::PauseIsland{id});
        addAims(menu, *island);
        connect(menu.addAction(icon(u"gear"_s, Tint::Secondary), tr("Mixes and &temperatures…")), &QAction::triggered,
            this, [this, id] { steer(id); });
        connect(menu.addAction(icon(u"chat"_s, Tint::Secondary), tr("&Hints for this island…")), &QAction::triggered,
            this, [this, id] { hint(id); });
        connect(menu.addAction(icon(u"check"_s, Tint::Secondary), tr("Review &policy…")), &QAction::triggered, this,
            [this, id] { Q_EMIT reviewPolicyRequested(id); });
        addOrder(menu, u"copy"_s, tr("&Clone %1").arg(called(id)), commands::CloneIsland{id});
        addOthers(menu, *island);
    }
    menu.addSeparator();
    addCommon(menu);
}

void IslandActions::fillAll(QMenu& menu)
{
    menu.clear();
    qDeleteAll(menu.findChildren<QMenu*>(Qt::FindDirectChildrenOnly));
    for (const Island& island : m_context.session.run().islands) {
        if (island.standing == Standing::Ended)
            continue;
        QMenu* one = menu.addMenu(text(islandLetter(island.id) + " " + island.name));
        fillFor(*one, island.id);
        one->setEnabled(isWritable());
    }
    menu.addSeparator();
    addCommon(menu);
}

void IslandActions::addCommon(QMenu& menu)
{
    const RunState& run = m_context.session.run();
    QMenu* add = menu.addMenu(icon(u"plus"_s, Tint::Secondary), tr("&Add an island"));
    for (const Focus aim : aims)
        addOrder(*add, {}, tr("With focus %1").arg(words(aim)), commands::AddIsland{"", aim});
    addOrder(menu, {}, tr("Reset the &weakest island"), commands::ResetIsland{});
    connect(menu.addAction(icon(u"migrate"_s, Tint::Secondary), tr("M&igration…")), &QAction::triggered, this,
        [this] { planMigration(); });
    connect(menu.addAction(icon(u"chat"_s, Tint::Secondary), tr("H&ints for all islands…")), &QAction::triggered, this,
        [this] { hint({}); });
    if (const IslandChange* latest = run.newestIslandChange())
        connect(menu.addAction(
                    icon(u"undo"_s, Tint::Secondary), tr("Undo: %1").arg(text(tilewright::describe(run, *latest)))),
            &QAction::triggered, this, [this, seq = latest->seq] { m_context.session.execute(commands::Undo{{seq}}); });
    if (!isWritable() || run.islands.empty())
        for (QAction* action : menu.actions())
            action->setEnabled(false);
}

void IslandActions::steer(IslandId id)
{
    const Island* island = m_context.session.run().island(id);
    if (!island || island->standing == Standing::Ended || !isWritable())
        return;
    const bool asksModels = m_context.session.run().settings.proposer.starts_with("model");
    auto* editor
        = new IslandEditor(*island, asksModels ? IslandEditor::Asks::Models : IslandEditor::Asks::Others, m_parent);
    editor->offer(proposerChoices(m_context.session.run().settings.proposer, *island));
    connect(editor, &IslandEditor::accepted, this, [this, id](const IslandSteering& steering) {
        order(commands::SteerIsland{id, steering});
    });
    editor->popUpOver(*m_parent);
}

void IslandActions::hint(IslandId id)
{
    if (!isWritable())
        return;
    auto* editor = new HintEditor(m_context.session.run(), id, m_context.drafts, m_parent);
    connect(editor, &HintEditor::accepted, this, [this](IslandId island, const QString& words) {
        m_context.session.execute(commands::SetHints{island, words.toStdString()});
    });
    editor->popUpOver(*m_parent);
}

void IslandActions::planMigration()
{
    const RunState& run = m_context.session.run();
    if (run.islands.empty() || !isWritable())
        return;
    std::vector<IslandId> islands;
    for (const Island& island : run.islands)
        if (island.standing != Standing::Ended)
            islands.push_back(island.id);
    auto* editor = new MigrationEditor(run.settings.migration, islands, m_parent);
    connect(editor, &MigrationEditor::accepted, this,
        [this](const MigrationPlan& plan) { order(commands::PlanMigration{plan}); });
    editor->popUpOver(*m_parent);
}

} // namespace tilewright::ui
