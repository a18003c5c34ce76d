// SPDX-License-Identifier: GPL-3.0-or-later
// What holds between the islands of a new session and for all of them: where migrants go, which candidates wait for a
// person, and how many. GUI thread.
#pragma once

#include "ui/welcome/session_choices.h"

#include <QWidget>
#include <vector>

class QComboBox;
class QLabel;
class QToolButton;

namespace tilewright::ui {

class LimitBox;

class IslandRules : public QWidget
{
    Q_OBJECT

public:
    explicit IslandRules(QWidget* parent = nullptr);
    /// What holds for that many islands, and for who proposes; drawn ways stay drawn while an island is taken away.
    void show(const SessionChoices& choices);
    /// These from now on; no policy: what fits who proposes.
    void take(const MigrationPlan& migration, std::optional<ReviewPolicy> review, int reviewLimit);
    /// Writes migration, policy and limit.
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

    QComboBox *m_ways, *m_policy;
    QToolButton* m_plan;
    LimitBox* m_limit;
    MigrationPlan m_migration; ///< with all edges that were drawn, whichever way holds
    std::optional<ReviewPolicy> m_review;
    std::vector<IslandId> m_islands;
};

} // namespace tilewright::ui
