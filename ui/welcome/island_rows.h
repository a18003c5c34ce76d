// SPDX-License-Identifier: GPL-3.0-or-later
// The islands of a new session, a row each: what its proposals ask for, its temperatures and, where models are asked,
// whom of them and how often. What a user leaves alone is left to the strategy. GUI thread.
#pragma once

#include "ui/welcome/session_choices.h"

#include <QWidget>
#include <vector>

class QComboBox;
class QGridLayout;
class QLabel;
class QToolButton;

namespace tilewright::ui {

class MixButton;

class IslandRows : public QWidget
{
    Q_OBJECT

public:
    explicit IslandRows(QWidget* parent = nullptr);
    /// Rows for the islands that the choices have; those that stay keep what was chosen for them.
    void show(const SessionChoices& choices);
    /// Steered so from now on, all of them, and asking models as usual.
    void take(const std::map<IslandId, IslandSteering>& steering, const std::map<IslandId, std::string>& strategies);
    /// Writes strategies, steering and weights of the islands that are shown.
    void read(SessionChoices& choices) const;

Q_SIGNALS:
    void changed();

private:
    struct Row {
        events::IslandCreated founder;
        QLabel* name;
        QComboBox* aim;
        QToolButton* steer;
        MixButton* mix;
    };
    void addRow(const events::IslandCreated& founder);
    const Row& rowOf(IslandId island) const; ///< of one that is shown
    /// Shows in a row what holds for its island.
    void fill(const Row& row);
    void chooseAim(IslandId island, int index);
    void editSteering(const events::IslandCreated& founder, IslandSteering steering);
    std::optional<std::map<std::string, double>> mixOf(IslandId island) const;
    std::map<std::string, double> usualMixOf(IslandId island) const;
    void editMix(IslandId island);

    QGridLayout* m_grid;
    std::vector<Row> m_rows;
    std::map<IslandId, IslandSteering> m_steering; ///< also of islands that are not shown now
    std::map<IslandId, std::string> m_strategies; ///< of those that do not evolve, likewise
    std::map<IslandId, std::map<std::string, double>> m_mixes;
    std::map<std::string, double> m_weights; ///< of the models that are asked; empty: none are
    std::map<IslandId, std::map<std::string, double>> m_usualMixes; ///< of islands that the models file names
};

// What holds between the islands of a new session: where migrants go. GUI thread.

class IslandRules : public QWidget
{
    Q_OBJECT

public:
    explicit IslandRules(QWidget* parent = nullptr);
    /// What holds for that many islands; drawn ways stay drawn while an island is taken away.
    void show(const SessionChoices& choices);
    void take(const MigrationPlan& migration);
    void read(SessionChoices& choices) const;

Q_SIGNALS:
    void changed();

private:
    /// Of the islands that are shown.
    MigrationPlan migration() const;
    bool isAlone() const { return m_islands.size() < 2; }
    void chooseWays(int index);
    void editMigration(MigrationPlan plan);
    void showMigration();

    QComboBox* m_ways;
    QToolButton* m_plan;
    MigrationPlan m_migration; ///< with all edges that were drawn, whichever way holds
    std::vector<IslandId> m_islands;
};

} // namespace tilewright::ui
