// SPDX-License-Identifier: GPL-3.0-or-later
// What waits for a user, as a table beside the run: a word can be said here, and what wants reading or writing first
// is opened in Review. GUI thread.
#pragma once

#include "ui/review/review_model.h"
#include "ui/session/file_watch.h"
#include "ui/session/view_context.h"
#include "ui/widgets/table.h"

#include <QAbstractTableModel>
#include <QTimer>
#include <QWidget>

namespace tilewright::ui {

/// ReviewModel's rows, a column each for what is said of them.
class WaitingModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum class Column { Candidate, Parent, Change, Expected, Risks, Waiting, Decide, Count };

    using QAbstractTableModel::QAbstractTableModel;
    /// True: other rows than before.
    bool show(const RunState& run);
    const ReviewRow& at(int row) const { return *m_rows.at(row); }
    int rowOf(CandidateId candidate) const { return m_rows.rowOf(candidate); }

    int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : m_rows.rowCount(); }
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    ReviewModel m_rows{ReviewModel::Part::Waiting};
    std::vector<CandidateId> m_candidates;
    std::vector<std::string> m_since; ///< UTC, of each row
};

class WaitingTable : public QWidget
{
    Q_OBJECT

public:
    explicit WaitingTable(const ViewContext& context, QWidget* parent = nullptr);
    int count() const { return m_model.rowCount(); }

Q_SIGNALS:
    void counted(int waiting);
    /// It is to be read in Review; then this action of that screen, if one is named, is wanted.
    void opened(tilewright::CandidateId candidate, const QString& action);

private:
    void refresh();
    int addButtons(int row); ///< how wide they are
    void giveRoom(double buttons);

    ViewContext m_context;
    WaitingModel m_model;
    Table* m_table;
    Paced m_follow{[this] { refresh(); }}; ///< each snapshot
    QTimer m_minutes; ///< how long they wait
    bool m_couldDecide = false;
};

} // namespace tilewright::ui
