// SPDX-License-Identifier: GPL-3.0-or-later
// How the models and the templates do, what they cost, and what the run has learned. GUI thread.
#pragma once

#include "ui/models/statistics_model.h"
#include "ui/session/desk.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace tilewright::ui {

class Segments;
class Table;

class ModelsPanel : public QWidget
{
    Q_OBJECT

public:
    explicit ModelsPanel(const Desk& desk, QWidget* parent = nullptr);

private:
    void refresh();
    void enable();

    Desk m_desk;
    StatisticsModel m_model;
    Segments* m_grouping;
    QLabel* m_spent;
    QPushButton* m_resume;
    Table* m_table;
};

} // namespace tilewright::ui
