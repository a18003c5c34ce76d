// SPDX-License-Identifier: GPL-3.0-or-later
// All evaluations of a candidate, and below them what the chosen one measured on each shape. GUI thread.
#pragma once

#include "ui/models/runs_model.h"
#include "ui/session/desk.h"

#include <QWidget>

class QLabel;

namespace tilewright::ui {

class ShapesTable;
class Table;

class RunsPage : public QWidget
{
    Q_OBJECT

public:
    explicit RunsPage(const Desk& desk, QWidget* parent = nullptr);
    void show(const Candidate& candidate);

private:
    void showChosen();

    Desk m_desk;
    CandidateId m_candidate;
    RunsModel m_model;
    Table* m_table;
    QLabel* m_note;
    ShapesTable* m_shapes;
};

} // namespace tilewright::ui
