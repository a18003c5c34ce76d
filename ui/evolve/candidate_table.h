// SPDX-License-Identifier: GPL-3.0-or-later
// The table of all candidates: sorted, filtered by a typed query, selection by id. A going run moves no row below the
// pointer, and none away from where a user looks. GUI thread.
#pragma once

#include "ui/evolve/views_button.h"
#include "ui/models/candidate_filter.h"
#include "ui/models/candidate_model.h"
#include "ui/session/file_watch.h"
#include "ui/session/view_context.h"
#include "ui/widgets/table.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace tilewright::ui {

class QueryBox;

/// Widths of the columns of CandidateModel, for every table over it.
std::vector<TableColumn> candidateColumns();

class CandidateTable : public QWidget
{
    Q_OBJECT

public:
    explicit CandidateTable(const ViewContext& context, QWidget* parent = nullptr);
    int all() const; ///< those that can be looked for: not what was taken back
    int matching() const { return m_filter.rowCount(); } ///< of them, those that fit what is looked for
    /// Some may be left out by what is looked for.
    bool isFiltered() const;
    bool hasChips() const; ///< islands or a stretch of the run are chosen beside what is typed
    /// Query, columns and order as they are; the name is empty.
    CandidateView view() const;
    void setView(const CandidateView& view);
    QString columnTitle(int column) const;
    /// A user wants to see it, and the table is too narrow.
    bool lacksRoomFor(int column) const;

Q_SIGNALS:
    void viewChanged();
    /// Other candidates than before fit, or there are others.
    void countsChanged();
    /// The menu of what can be done to the current candidate is wanted at this place of the screen.
    void menuRequested(const QPoint& global);

private:
    void refresh();
    /// The pointer left the rows: they may move again.
    void letGo();
    void sayHeldBack();
    /// Marks the current row, and scrolls to it.
    void showCurrent();
    /// Marks it where it stands; without one no row is marked.
    void markCurrent();
    void filter();
    void say();
    void sayNothingFits();
    void showRange();
    void showIslands();
    QPushButton* chip(const QString& name); ///< hidden

    ViewContext m_context;
    CandidateModel m_model;
    CandidateFilter m_filter;
    Table* m_table;
    QLabel* m_said; ///< what is wrong with the query, or how one is written
    QueryBox* m_box;
    QLabel* m_heldBack; ///< how many new ones wait until the pointer leaves
    QPushButton* m_range; ///< the stretch of the run that is left; a click lets go of it
    QPushButton* m_islands; ///< those whose candidates are left, chosen at their cards; a click lets go of them
    bool m_helping = false;
    bool m_isBeingRead = false, m_wasJustRead = false; ///< a session piece by piece; the last one came just now
    bool m_showLater = false; ///< the current one is to be scrolled to once it has a row
    bool m_following = false; ///< the table itself is being moved to the selection
    bool m_isSorted = false; ///< by a click on a heading, and the rows are not there yet
    Paced m_follow{[this] { refresh(); }}; ///< each snapshot
};

} // namespace tilewright::ui
