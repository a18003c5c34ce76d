// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/welcome/island_rules.h"

#include "ui/evolve/migration_editor.h"
#include "ui/models/format.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/tone.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

enum Place { CaptionAt, ChoiceAt, DetailAt };
constexpr std::size_t mostNamedWays = 2; ///< on the button; all of them stand in its tooltip

/// "every 6 new members", "A→C, C→B · every 4", "5 ways · every 4".
QString planWords(const MigrationPlan& plan)
{
    const auto interval = static_cast<qlonglong>(plan.interval);
    switch (plan.ways) {
    case MigrationPlan::Ways::Ring:
        return counted(interval, IslandRules::tr("every new member"), IslandRules::tr("every %1 new members"));
    case MigrationPlan::Ways::Off:
        return IslandRules::tr("nobody travels");
    case MigrationPlan::Ways::Drawn:
        break;
    }
    QStringList ways;
    for (const auto& [from, to] : plan.edges)
        ways << text(islandLetter(from) + "→" + islandLetter(to));
    const auto count = static_cast<std::size_t>(ways.size());
    return IslandRules::tr("%1 · every %2")
        .arg(count == 0                 ? IslandRules::tr("no way")
                : count > mostNamedWays ? IslandRules::tr("%1 ways").arg(count)
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
    m_ways->setAccessibleName(tr("Where migrants go"));
    m_ways->addItems({tr("in a ring"), tr("nowhere"), tr("along ways…")});
    m_ways->setToolTip(tr("Where the best of an island goes as a migrant"));
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
    editor->sayFromWhen(tr("Holds from the start; it can be changed while the run goes on."));
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
    m_plan->setText(isAlone() ? tr("there is one island") : planWords(plan));
    m_plan->setToolTip(tr("Migration: %1. A click changes it").arg(text(wordsOf(plan))));
    m_plan->setAccessibleName(tr("Migration: %1").arg(text(wordsOf(plan))));
    for (QWidget* field : std::initializer_list<QWidget*>{m_ways, m_plan})
        field->setEnabled(!isAlone());
}

} // namespace tilewright::ui
