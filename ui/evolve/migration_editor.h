// SPDX-License-Identifier: GPL-3.0-or-later
// Where migrants go: in the ring, nowhere, or along ways that the person ticks in a grid of from and to. GUI thread.
#pragma once

#include "core/model/run_state.h"
#include "ui/evolve/lever_popup.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QScrollArea;
class QSpinBox;

namespace tilewright::ui {

class MigrationEditor : public LeverPopup
{
    Q_OBJECT

public:
    MigrationEditor(const RunState& run, QWidget* parent);

Q_SIGNALS:
    void accepted(const tilewright::MigrationPlan& plan);

protected:
    void accept() override;

private:
    void addGrid(const RunState& run);
    void enable();
    MigrationPlan chosen() const;

    QComboBox* m_ways;
    QSpinBox* m_interval;
    QScrollArea* m_scroll;
    std::vector<std::pair<MigrationPlan::Edge, QCheckBox*>> m_edges;
    QLabel* m_note;
    QWidget* m_apply;
};

} // namespace tilewright::ui
