// SPDX-License-Identifier: GPL-3.0-or-later
// How the models and the templates do, what they cost, and what the run has learned. GUI thread.
#pragma once

#include "ui/models/statistics_model.h"
#include "ui/session/view_context.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QSplitter;

namespace tilewright::ui {

class InsightsBox;
class Segments;
class Table;

class ModelsPanel : public QWidget
{
    Q_OBJECT

public:
    explicit ModelsPanel(const ViewContext& context, QWidget* parent = nullptr);
    /// The same however it is divided: else the docks around it would move with the width of this one.
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void divide(Qt::Orientation orientation);
    void refresh();
    void enable();

    ViewContext m_context;
    StatisticsModel m_model;
    QSplitter* m_split;
    InsightsBox* m_insights;
    Segments* m_grouping;
    QLabel* m_spent;
    QPushButton* m_resume;
    Table* m_table;
};

} // namespace tilewright::ui
