// SPDX-License-Identifier: GPL-3.0-or-later
// The noise floor over the run, or the same as a table (Ctrl+T). GUI thread.
#pragma once

#include "ui/devices/noise_model.h"
#include "ui/session/desk.h"

#include <QFrame>

class QStackedWidget;

namespace tilewright::ui {

class DockTitle;
class PlotView;
class Table;

class NoisePanel : public QFrame
{
    Q_OBJECT

public:
    explicit NoisePanel(const Desk& desk, QWidget* parent = nullptr);
    void refresh();
    void setTableTwin(bool table);

private:
    Desk m_desk;
    DockTitle* m_title;
    QStackedWidget* m_stack;
    PlotView* m_plot;
    Table* m_table;
    NoiseModel m_model;
    std::vector<NoisePoint> m_shown;
    std::int64_t m_untilNs = -1;
};

} // namespace tilewright::ui
