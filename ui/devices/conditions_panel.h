// SPDX-License-Identifier: GPL-3.0-or-later
// Clock, temperature or power of the devices over the run, with a line where one was throttled, or the same as a table
// (Ctrl+T). Shows what was seen beside measurements, nothing between them. Does no work while it is hidden. GUI thread.
#pragma once

#include "ui/devices/conditions_model.h"
#include "ui/session/desk.h"

#include <QFrame>

class QLabel;
class QStackedWidget;

namespace tilewright::ui {

class DockTitle;
class PlotHover;
class PlotView;
class Segments;
class Table;

class ConditionsPanel : public QFrame
{
    Q_OBJECT

public:
    /// title: of its dock; the choice of what is plotted stands in it.
    ConditionsPanel(const Desk& desk, DockTitle& title, QWidget* parent = nullptr);
    void refresh();
    void setTableTwin(bool table);
    void fit();

private:
    void plot();
    void turn();
    QString whatIsMissing() const;
    QString summary() const;
    void say(std::size_t number, const QPoint& at);

    Desk m_desk;
    DockTitle& m_title;
    Segments* m_choice;
    QStackedWidget* m_stack;
    PlotView* m_plot;
    PlotHover* m_hover;
    Table* m_table;
    QLabel* m_nothing; ///< what is missing, in the place of the plot
    bool m_isTable = false;
    ConditionsModel m_model;
    Condition m_what = Condition::Clock;
    bool m_stale = true; ///< what is plotted is not what the run holds, or has colours of another theme
    std::vector<std::vector<std::size_t>> m_dots; ///< of each series, which of the run's conditions its dots are
    std::vector<std::size_t> m_throttled; ///< those that the lines stand for
};

} // namespace tilewright::ui
