// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline with its legend and the line that says what is pointed at, or the same work as a table (Ctrl+T). Does no
// work while it is hidden. GUI thread.
#pragma once

#include "ui/devices/lanes_view.h"
#include "ui/devices/work_model.h"
#include "ui/session/view_context.h"

class QPushButton;
class QStackedWidget;

namespace tilewright::ui {

class DockTitle;
class ElidedLabel;
class PlotHover;
class Table;

class TimelinePanel : public QFrame
{
    Q_OBJECT

public:
    explicit TimelinePanel(const ViewContext& context, QWidget* parent = nullptr);
    void setTableTwin(bool table);
    void setLoading(bool loading);
    void fit();
    void refresh();
    const WorkLanes& lanes() const { return m_lanes; }

private:
    void startAnew();
    void say(const LanePlace& place);
    void hover(const LanePlace& place, const QPoint& at);
    QString whatToSay() const;
    QString sentenceOf(const LanePlace& place) const;

    ViewContext m_context;
    WorkLanes m_lanes;
    DockTitle* m_title;
    QPushButton* m_follow;
    QStackedWidget* m_stack;
    LanesView* m_view;
    PlotHover* m_hover;
    ElidedLabel* m_detail;
    Table* m_table;
    WorkModel m_model;
    bool m_loading = false;
};

} // namespace tilewright::ui
