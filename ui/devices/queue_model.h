// SPDX-License-Identifier: GPL-3.0-or-later
// Who is on the way, and what each waits for: what a user requested, questions that are out, candidates under way or
// waiting for their turn, candidates that wait for a user. GUI thread.
#pragma once

#include "core/engine/snapshot.h"
#include "ui/session/session_client.h"
#include "ui/session/view_context.h"

#include <QAbstractTableModel>
#include <QStackedWidget>
#include <functional>

class QLabel;

namespace tilewright::ui {

/// In the order of a candidate's way.
enum class QueueStage { SteeringRequested, Asked, WaitsForBuild, Building, WaitsForDevice, OnDevice, WaitsForReview };
QString words(QueueStage stage);
QString countedWords(std::int64_t count, QueueStage stage); ///< "1 waits for a build", "3 wait for a build"

struct QueueRow {
    QueueStage stage = QueueStage::WaitsForBuild;
    CandidateId candidate; ///< of a question: what it is to change
    QString name; ///< "c-0012", or who was asked
    QString what; ///< "screening", "building"
    std::int64_t sinceNs = -1; ///< run time; −1: not known
    std::string sinceUtc = {}; ///< ISO 8601, of what waits for a user whether the run goes on or not; else empty
    std::int64_t undo = 0; ///< UndoEntry::seq of the command that brought it, where it can be undone; else 0
    quint64 editCheck = 0; ///< of a user's text, and can be cancelled: its tag; else 0
    std::int64_t count = 1; ///< of what this row stands for

    bool operator==(const QueueRow&) const = default;
};

/// Edits, or words on a candidate, that were not granted yet of what a user steering requests for.
std::int64_t leftOf(const SteeringRequest& steering);

/// It was running when it was opened here, and only to be looked at: another program knows what is under way, or
/// nobody does.
bool isRunElsewhere(const EngineStatus& status);
/// It is to run here, and nothing moves: for what it waits, the status says.

/// Everything on the way, the farthest first; with the texts of a user that are checked and built.
std::vector<QueueRow> queueOf(const Snapshot& snapshot, const std::vector<SessionClient::EditUnderCheck>& edits = {});

class QueueModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum class Column { Candidate, Stage, For, Count };
    static constexpr int IdRole = Qt::UserRole + 1;

    using QAbstractTableModel::QAbstractTableModel;
    void show(const Snapshot& snapshot, const std::vector<SessionClient::EditUnderCheck>& edits);
    const std::vector<QueueRow>& rows() const { return m_rows; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<QueueRow> m_rows;
    std::int64_t m_nowNs = 0;
};

// Who is on the way and what each waits for, as a table; a click selects the candidate. What a user ordered and can
// be taken back is, with the Delete key or the menu of its row; so is the check of a user's text cancelled. GUI
// thread.

class Table;

class QueueTable : public QStackedWidget
{
    Q_OBJECT

public:
    /// `name` + "Table" and "Empty" are the names of its parts.
    QueueTable(const ViewContext& context, const QString& name, QWidget* parent);
    void refresh();
    int count() const { return m_model.rowCount(); }
    int jobs() const; ///< those of them that do not wait for a user
    /// "2 under way · 1 waits for a build": how many are where, the farthest first.
    QString summary() const;

private:
    void takeBack();
    void openMenu(const QPoint& at);
    /// Takes back, or cancels, what stands in this row; null where there is nothing to do.
    std::function<void()> endingOf(const QModelIndex& index);

    ViewContext m_context;
    QLabel* m_nothing;
    Table* m_table;
    QueueModel m_model;
};

} // namespace tilewright::ui
