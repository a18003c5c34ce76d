// SPDX-License-Identifier: GPL-3.0-or-later
// The table of all candidates: sorted, filtered, selection by id. GUI thread.
#pragma once

#include "ui/models/candidate_filter.h"
#include "ui/models/candidate_model.h"
#include "ui/session/desk.h"
#include "ui/widgets/table.h"

#include <QTimer>
#include <QWidget>

class QLineEdit;

namespace tilewright::ui {

/// Widths of the columns of CandidateModel, for every table over it.
std::vector<TableColumn> candidateColumns();

class CandidateTable : public QWidget
{
    Q_OBJECT

public:
    explicit CandidateTable(const Desk& desk, QWidget* parent = nullptr);
    /// The filter box, to stand in the title bar above.
    QLineEdit* filterBox() { return m_box; }

private:
    void refresh();
    void showCurrent();

    Desk m_desk;
    CandidateModel m_model;
    CandidateFilter m_filter;
    Table* m_table;
    QLineEdit* m_box;
    QTimer m_debounce;
    bool m_following = false; ///< the table itself is being moved to the selection
};

} // namespace tilewright::ui
