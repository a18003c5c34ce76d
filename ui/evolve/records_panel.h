// SPDX-License-Identifier: GPL-3.0-or-later
// Below the plot: candidates, event log, models, niches, what waits for a user and what is on the way, behind tabs
// that share one title bar. GUI thread.
#pragma once

#include "ui/session/view_context.h"

#include <QWidget>

class QStackedWidget;
class QTabBar;

namespace tilewright::ui {

class CandidateTable;
class DockTitle;
class LogPanel;
class NichePanel;
class QueueTable;
class WaitingTable;

class RecordsPanel : public QWidget
{
    Q_OBJECT

public:
    explicit RecordsPanel(const ViewContext& context, QWidget* parent = nullptr);
    /// The tabs, to be used as the dock's title bar.
    DockTitle* title() { return m_title; }
    CandidateTable& candidates() { return *m_candidates; }
    void showTab(int index);
    /// The event log with this row, from 0, chosen and in sight.
    void showEventLine(int row);
    void setTableTwin(bool table);
    /// Ctrl+F: false where nothing here has the keyboard that words can be found in.
    bool find();

protected:
    void resizeEvent(QResizeEvent* event) override;

Q_SIGNALS:
    /// As CandidateTable::menuRequested.
    void menuRequested(const QPoint& global);
    /// As WaitingTable::opened.
    void reviewOpened(tilewright::CandidateId candidate, const QString& action);

private:
    void refresh();
    void fitTabs();

    ViewContext m_context;
    DockTitle* m_title;
    QTabBar* m_tabs;
    std::pair<QStringList, int> m_fitted; ///< names of tabs, width of all
    QStackedWidget* m_stack;
    CandidateTable* m_candidates;
    LogPanel* m_log;
    NichePanel* m_niches;
    WaitingTable* m_waiting;
    QueueTable* m_jobs;
};

} // namespace tilewright::ui
