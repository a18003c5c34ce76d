// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/welcome/island_rows.h"

#include "core/engine/proposals/proposing.h"
#include "core/evolve/strategy.h"
#include "core/evolve/usual_mix.h"
#include "core/model/event_names.h"
#include "ui/evolve/island_editor.h"
#include "ui/evolve/migration_editor.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/theme/words.h"
#include "ui/welcome/mix_editor.h"
#include "ui/widgets/pane.h"
#include "ui/widgets/pill.h"
#include "ui/widgets/room.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {
constexpr int ownMixAt = static_cast<int>(aimNames.size()) + 1; ///< of the choices: after "mostly" and each focus
enum Column { BadgeAt, NameAt, AimAt, SteerAt, Columns };

/// Those that an island can name besides "evolve".
std::vector<std::string> otherStrategies()
{
    std::vector<std::string> names = strategyNames();
    std::erase(names, "evolve");
    return names;
}

/// Of an island: the second line has the models it asks.
int lineOf(std::size_t row) { return 1 + 2 * static_cast<int>(row); }
} // namespace

IslandRows::IslandRows(QWidget* parent)
    : QWidget(parent)
    , m_grid(new QGridLayout(this))
{
    setObjectName(u"islandRows"_s);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(px(8));
    m_grid->setVerticalSpacing(px(2));
    m_grid->setColumnStretch(SteerAt, 1);
    const auto head = [this](int column, const QString& words) {
        QLabel* label = quietLabel(words, this);
        label->setFont(fontOf(Type::Secondary));
        m_grid->addWidget(label, 0, column);
        return label;
    };
    head(NameAt, tr("Island"));
    head(AimAt, tr("Focus"));
    head(SteerAt, tr("Temperatures"));
}

void IslandRows::addRow(const events::IslandCreated& founder)
{
    const IslandId island = founder.id;
    const QString letter = text(islandLetter(island));
    const int line = lineOf(m_rows.size());
    auto* badge = new Badge(this);
    badge->setIsland(island);
    auto* aim = new QComboBox(this);
    aim->setObjectName(u"aimOf:"_s + letter);
    aim->setAccessibleName(tr("Focus weights of island %1").arg(letter));
    aim->addItem(tr("mostly %1").arg(words(founder.focus)));
    for (const auto& [focus, name] : aimNames)
        aim->addItem(tr("only %1").arg(words(focus)));
    aim->addItem(tr("own weights…"));
    for (const std::string& strategy : otherStrategies()) {
        aim->addItem(tr("strategy: %1").arg(text(strategy)));
        aim->setItemData(
            aim->count() - 1, tr("Other strategy: this island has no focus weights and no migration"), Qt::ToolTipRole);
    }
    auto* steer = new QToolButton(this);
    steer->setObjectName(u"steer:"_s + letter);
    steer->setIcon(icon(u"gear"_s, Tint::Secondary));
    steer->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    steer->setMinimumHeight(px(26));
    auto* mix = new MixButton(island, this);
    mix->setObjectName(u"mixOf:"_s + letter);
    m_grid->addWidget(badge, line, BadgeAt);
    auto* name = new QLabel(text(founder.name), this);
    m_grid->addWidget(name, line, NameAt);
    m_grid->addWidget(aim, line, AimAt);
    m_grid->addWidget(steer, line, SteerAt, Qt::AlignLeft | Qt::AlignVCenter);
    m_grid->addWidget(mix, line + 1, NameAt, 1, Columns - NameAt);
    m_rows.push_back({founder, name, aim, steer, mix});
    connect(aim, &QComboBox::activated, this, [this, island](int index) { chooseAim(island, index); });
    connect(steer, &QToolButton::clicked, this, [this, founder] { editSteering(founder, m_steering[founder.id]); });
    connect(mix, &MixButton::clicked, this, [this, island] { editMix(island); });
}

void IslandRows::show(const SessionChoices& choices)
{
    const bool asks = choices.proposer == u"model"_s;
    m_weights = asks ? choices.weights : std::map<std::string, double>{};
    m_usualMixes = choices.usualMixes;
    RunSettings settings;
    settings.islands = choices.islands;
    settings.proposer = choices.proposer.toStdString();
    const auto founders = foundersOf(settings);
    while (m_rows.size() > founders.size()) {
        delete m_rows.back().mix;
        m_rows.pop_back();
        for (int column = BadgeAt; column < Columns; ++column)
            delete m_grid->itemAtPosition(lineOf(m_rows.size()), column)->widget();
    }
    while (m_rows.size() < founders.size())
        addRow(founders[m_rows.size()]);
    settings.strategies = strategiesOf(choices); // by which islands are named
    const auto named = foundersOf(settings);
    std::vector<QWidget*> controls;
    for (const Row& row : m_rows) {
        row.name->setText(text(named[controls.size() / 3].name));
        fill(row);
        controls.insert(controls.end(), {row.aim, row.steer, row.mix});
    }
    tabThrough(this, controls);
}

void IslandRows::fill(const Row& row)
{
    const auto held = m_steering.find(row.founder.id);
    const IslandSteering steering = held == m_steering.end() ? IslandSteering{} : held->second;
    int at = steering.mix ? ownMixAt : 0;
    for (std::size_t i = 0; steering.focus && i < aimNames.size(); ++i)
        if (aimNames[i].first == *steering.focus)
            at = static_cast<int>(i) + 1;
    const auto strategy = m_strategies.find(row.founder.id);
    if (const std::vector<std::string> others = otherStrategies(); strategy != m_strategies.end())
        at = ownMixAt + 1 + static_cast<int>(std::ranges::find(others, strategy->second) - others.begin());
    row.aim->setCurrentIndex(at);
    row.steer->setEnabled(strategy == m_strategies.end());
    row.aim->setToolTip(steering.mix ? text(wordsOfMix(*steering.mix)) : QString());
    QStringList said;
    if (steering.selection != IslandSteering().selection)
        said << tr("parents %1").arg(text(wordsOf(steering.selection)));
    if (steering.sampling && !m_weights.empty())
        said << tr("models %1").arg(text(wordsOf(*steering.sampling)));
    row.steer->setText(said.isEmpty() ? tr("default") : said.join(u" · "_s));
    row.steer->setAccessibleName(
        tr("Mix and temperatures of island %1: %2").arg(text(islandLetter(row.founder.id)), row.steer->text()));
    row.steer->setToolTip(tr("Focus weights and temperatures"));
    row.mix->setVisible(!m_weights.empty());
    row.mix->show(mixOf(row.founder.id).value_or(usualMixOf(row.founder.id)));
}

/// A model that is not asked any more is of no island; one without anybody left is as usual.
std::optional<std::map<std::string, double>> IslandRows::mixOf(IslandId island) const
{
    const auto held = m_mixes.find(island);
    if (held == m_mixes.end())
        return std::nullopt;
    std::map<std::string, double> mix = held->second;
    std::erase_if(mix, [this](const auto& each) { return each.second <= 0 || !m_weights.contains(each.first); });
    return mix.empty() ? std::nullopt : std::optional(mix);
}

std::map<std::string, double> IslandRows::usualMixOf(IslandId island) const
{
    const auto named = m_usualMixes.find(island);
    return named == m_usualMixes.end() ? m_weights : named->second;
}

void IslandRows::take(
    const std::map<IslandId, IslandSteering>& steering, const std::map<IslandId, std::string>& strategies)
{
    m_steering = steering;
    m_strategies = strategies;
    m_mixes.clear();
    Q_EMIT changed();
}

void IslandRows::read(SessionChoices& choices) const
{
    choices.strategies.clear();
    choices.steering.clear();
    choices.islandWeights.clear();
    for (const Row& row : m_rows) {
        const IslandId island = row.founder.id;
        if (const auto named = m_strategies.find(island); named != m_strategies.end())
            choices.strategies[island] = named->second;
        else if (const auto held = m_steering.find(island);
                 held != m_steering.end() && held->second != IslandSteering{})
            choices.steering[island] = held->second;
        if (const auto mix = mixOf(island))
            choices.islandWeights[island] = *mix;
    }
}

const IslandRows::Row& IslandRows::rowOf(IslandId island) const
{
    return *std::ranges::find(m_rows, island, [](const Row& each) { return each.founder.id; });
}

void IslandRows::chooseAim(IslandId island, int index)
{
    if (index > ownMixAt) {
        m_strategies[island] = otherStrategies()[static_cast<std::size_t>(index - ownMixAt - 1)];
        return Q_EMIT changed();
    }
    m_strategies.erase(island);
    if (index == ownMixAt) {
        const Row& row = rowOf(island);
        fill(row); // until weights are given
        IslandSteering wanted = m_steering[island];
        wanted.mix = wanted.mix.value_or(usualMix(row.founder.focus));
        return editSteering(row.founder, wanted);
    }
    IslandSteering& steering = m_steering[island];
    steering.mix.reset();
    steering.focus.reset();
    if (index > 0)
        steering.focus = aimNames[static_cast<std::size_t>(index - 1)].first;
    Q_EMIT changed();
}

void IslandRows::editSteering(const events::IslandCreated& founder, IslandSteering steering)
{
    Island island;
    island.id = founder.id;
    island.name = founder.name;
    island.focus = founder.focus;
    island.steering = std::move(steering);
    auto* editor
        = new IslandEditor(island, m_weights.empty() ? IslandEditor::Asks::Others : IslandEditor::Asks::Models, this);
    editor->sayFromWhen(tr("Applies from the start; it can be changed during the run."));
    connect(editor, &IslandEditor::accepted, this, [this, id = founder.id](const IslandSteering& chosen) {
        m_steering[id] = chosen;
        Q_EMIT changed();
    });
    editor->popUpBy(*rowOf(founder.id).steer);
}

void IslandRows::editMix(IslandId island)
{
    const auto usual = usualMixOf(island);
    auto* editor = new MixEditor(island, m_weights, mixOf(island).value_or(usual), this);
    connect(editor, &MixEditor::accepted, this, [this, island, usual](const std::map<std::string, double>& weights) {
        if (weights == usual)
            m_mixes.erase(island);
        else
            m_mixes[island] = weights;
        Q_EMIT changed();
    });
    editor->popUpBy(*rowOf(island).mix);
}

namespace {

enum Place { CaptionAt, ChoiceAt, DetailAt };
constexpr int mostNamedWays = 2; ///< on the button; all of them stand in its tooltip

/// "every 6 new members", "A→C, C→B · every 4", "5 ways · every 4".
QString planWords(const MigrationPlan& plan)
{
    const auto interval = static_cast<qlonglong>(plan.interval);
    switch (plan.ways) {
    case MigrationPlan::Ways::Ring:
        return counted(interval, tr("every new member"), tr("every %1 new members"));
    case MigrationPlan::Ways::Off:
        return tr("off");
    case MigrationPlan::Ways::Drawn:
        break;
    }
    QStringList ways;
    for (const auto& [from, to] : plan.edges)
        ways << text(islandLetter(from) + "→" + islandLetter(to));
    const auto count = static_cast<std::size_t>(ways.size());
    return tr("%1 · every %2")
        .arg(count == 0                 ? tr("no route")
                : count > mostNamedWays ? tr("%1 routes").arg(count)
                                        : ways.join(u", "_s),
            QString::number(interval));
}

} // namespace

IslandRules::IslandRules(QWidget* parent)
    : QWidget(parent)
    , m_ways(new QComboBox(this))
    , m_plan(new QToolButton(this))
{
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, px(4), 0, 0);
    grid->setHorizontalSpacing(px(8));
    grid->setVerticalSpacing(px(6));
    grid->setColumnStretch(DetailAt, 1);
    const auto caption = [this, grid](int line, const QString& words, QWidget* buddy) {
        auto* label = new QLabel(words, this);
        label->setBuddy(buddy);
        grid->addWidget(label, line, CaptionAt);
        grid->addWidget(buddy, line, ChoiceAt);
    };
    m_ways->setObjectName(u"migrationChoice"_s);
    m_ways->setAccessibleName(tr("Routes of migrants"));
    m_ways->addItems({tr("ring"), tr("off"), tr("custom routes…")});
    m_ways->setToolTip(tr("Islands that receive migrants"));
    caption(0, tr("Migration"), m_ways);
    m_plan->setObjectName(u"migrationPlan"_s);
    m_plan->setIcon(icon(u"gear"_s, Tint::Secondary));
    m_plan->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_plan->setMinimumHeight(px(26));
    grid->addWidget(m_plan, 0, DetailAt, Qt::AlignLeft);

    connect(m_ways, &QComboBox::activated, this, &IslandRules::chooseWays);
    connect(m_plan, &QToolButton::clicked, this, [this] { editMigration(m_migration); });
}

void IslandRules::show(const SessionChoices& choices)
{
    m_islands.clear();
    for (IslandId island{1}; island.value <= choices.islands; ++island.value)
        m_islands.push_back(island);
    showMigration();
}

void IslandRules::take(const MigrationPlan& migration)
{
    m_migration = migration;
    Q_EMIT changed();
}

void IslandRules::read(SessionChoices& choices) const { choices.migration = migration(); }

MigrationPlan IslandRules::migration() const
{
    MigrationPlan plan = m_migration;
    if (isAlone() && plan.ways == MigrationPlan::Ways::Drawn)
        plan.ways = MigrationPlan::Ways::Ring;
    const auto isShown = [this](IslandId island) { return std::ranges::find(m_islands, island) != m_islands.end(); };
    std::erase_if(plan.edges, [&](const MigrationPlan::Edge& way) {
        return plan.ways != MigrationPlan::Ways::Drawn || !isShown(way.first) || !isShown(way.second);
    });
    return plan;
}

void IslandRules::chooseWays(int index)
{
    MigrationPlan wanted = m_migration;
    wanted.ways = static_cast<MigrationPlan::Ways>(index);
    if (wanted.ways == MigrationPlan::Ways::Drawn) {
        showMigration(); // until ways are drawn
        return editMigration(wanted);
    }
    m_migration = wanted;
    Q_EMIT changed();
}

void IslandRules::editMigration(MigrationPlan plan)
{
    auto* editor = new MigrationEditor(plan, m_islands, this);
    editor->sayFromWhen(tr("Applies from the start; it can be changed during the run."));
    connect(editor, &MigrationEditor::accepted, this, [this](const MigrationPlan& chosen) {
        m_migration.ways = chosen.ways;
        m_migration.interval = chosen.interval;
        if (chosen.ways == MigrationPlan::Ways::Drawn) {
            for (const MigrationPlan::Edge& drawn : migration().edges)
                m_migration.edges.erase(drawn);
            m_migration.edges.insert(chosen.edges.begin(), chosen.edges.end());
        }
        Q_EMIT changed();
    });
    editor->popUpBy(*m_plan);
}

void IslandRules::showMigration()
{
    const MigrationPlan plan = migration();
    m_ways->setCurrentIndex(static_cast<int>(plan.ways));
    m_plan->setText(isAlone() ? tr("only one island") : planWords(plan));
    m_plan->setToolTip(tr("Migration: %1. Click to change it").arg(text(wordsOf(plan))));
    m_plan->setAccessibleName(tr("Migration: %1").arg(text(wordsOf(plan))));
    for (QWidget* field : std::initializer_list<QWidget*>{m_ways, m_plan})
        field->setEnabled(!isAlone());
}

} // namespace tilewright::ui
