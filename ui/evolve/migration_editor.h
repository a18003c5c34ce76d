// SPDX-License-Identifier: GPL-3.0-or-later
// Where migrants go: in the ring, nowhere, or along ways that the person ticks in a grid of from and to. GUI thread.
#pragma once

#include "core/model/island_steering.h"
#include "ui/evolve/lever_popup.h"

#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QScrollArea;
class QSpinBox;

namespace tilewright::ui {

class WaysPicture;

class MigrationEditor : public LeverPopup
{
    Q_OBJECT

public:
    /// islands: those that migrants can leave and reach.
    MigrationEditor(const MigrationPlan& plan, const std::vector<IslandId>& islands, QWidget* parent);
    /// What the note says of the time from which on the plan holds, where there is nothing to correct.
    void sayFromWhen(const QString& words);

Q_SIGNALS:
    void accepted(const tilewright::MigrationPlan& plan);

protected:
    void accept() override;

private:
    void addGrid(const MigrationPlan& plan, const std::vector<IslandId>& islands);
    void enable();
    void toggle(IslandId from, IslandId to);
    MigrationPlan chosen() const;

    QComboBox* m_ways;
    QSpinBox* m_interval;
    WaysPicture* m_picture;
    QScrollArea* m_scroll;
    std::vector<std::pair<MigrationPlan::Edge, QCheckBox*>> m_edges;
    QLabel* m_note;
    QString m_fromWhen;
    QWidget* m_apply;
};

} // namespace tilewright::ui
