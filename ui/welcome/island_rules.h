// SPDX-License-Identifier: GPL-3.0-or-later
// What holds between the islands of a new session: where migrants go. GUI thread.
#pragma once

#include "ui/welcome/session_choices.h"

#include <QWidget>
#include <vector>

class QComboBox;
class QLabel;
class QToolButton;

namespace tilewright::ui {

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
