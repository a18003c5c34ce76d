// SPDX-License-Identifier: GPL-3.0-or-later
// Undo and redo of the window: the commands of the run, as undoHistory() derives them from its events, and what the
// window did itself (a pause, a reference, a view that was forgotten). It says what was done, with a button that undoes
// it, and what was undone. GUI thread; owned by the window.
#pragma once

#include "core/engine/session/undo_history.h"
#include "ui/session/file_watch.h"
#include "ui/session/view_context.h"

#include <QAbstractTableModel>
#include <QDialog>
#include <functional>
#include <map>
#include <set>
#include <vector>

class QLabel;
class QPushButton;

namespace tilewright::ui {

class MessageBar;

class UndoController : public QObject
{
    Q_OBJECT

public:
    /// Something that the run does not record.
    struct Local {
        QString description; ///< "Paused the run"
        std::function<void()> undo;
        std::function<void()> redo = {}; ///< null: it cannot be redone
        QString afterUndo = {}; ///< as UndoEntry::afterUndo
        bool isRunControl = false; ///< that the run continues, pauses or stops
        bool isOfProgram = false; ///< it stays when another session is opened
    };
    struct Entry {
        std::int64_t id = 0; ///< UndoEntry::seq, or below 0 of a Local
        QString description, blocked, afterUndo;
        bool isFinal = false, isRunControl = false;
        bool isEarlier = false; ///< it was there before this window opened the session: no key undoes it
        std::vector<CandidateId> reopened = {};
        std::vector<std::int64_t> events = {};
    };

    UndoController(const ViewContext& context, MessageBar& messages, QObject* parent);

    /// Newest first; the final ones among them if asked.
    enum class Final { LeftOut, Shown };
    std::vector<Entry> entries(Final final = Final::LeftOut) const;
    /// Its id. A new one: nothing is left to redo.
    std::int64_t add(Local local);
    /// It holds no more, without having been undone.
    void drop(std::int64_t id);
    bool has(std::int64_t id) const;
    bool hasLocal() const { return !m_local.empty(); }
    /// That one, if it can be undone now; else it says why not.
    void undo(std::int64_t id);
    /// The newest since the session was opened; one that cannot be undone bars the way once. Gives the candidates whose
    /// review is pending again then.
    std::vector<CandidateId> undoNewest();
    /// The newest of the program's own; false where there is none.
    bool undoNewestOfProgram();
    void redo();
    /// Says it, with a button that undoes this entry.
    void say(const QString& words, const QString& hint, std::int64_t offered = 0);

Q_SIGNALS:
    void changed();

private:
    struct Step {
        std::int64_t id = 0;
        Local local;
        std::int64_t seq = 0; ///< of the run's newest event then
    };
    struct Redo {
        QString description;
        std::vector<std::int64_t> events; ///< as UndoEntry::events
        std::function<void()> again; ///< of a Local
        Local local = {};
    };

    void undo(const Entry& entry);
    void undoLocal(const Entry& entry);
    void takeReceipt(const Command& command, const Receipt& receipt);
    void follow();
    /// Which session is open, and its newest event when it was opened.
    using Opening = std::pair<std::string, std::int64_t>;
    Opening opening() const;
    QString keysOf(const QString& action) const;
    QString whereTheOthersAre() const;

    ViewContext m_context;
    MessageBar& m_messages;
    std::vector<Step> m_local; ///< the newest last
    std::int64_t m_lastLocal = 0;
    std::vector<Redo> m_redo; ///< what can be redone; the next last
    std::set<std::int64_t> m_undone; ///< entries that the engine was told to undo: they are listed until it tells
    std::map<std::int64_t, Redo> m_undoing; ///< by entry: what redoes it once it is undone
    quint64 m_message = 0; ///< said last
    std::int64_t m_offered = 0; ///< the entry that its button undoes
    QString m_received, m_offeredDescription; ///< of the newest receipt, and of that entry
    std::pair<Opening, std::int64_t> m_barred; ///< the entry that barred the way; older ones are undone past it
    bool m_isRedoing = false;
};

// The undo history as a page of its own, which can stay open: newest first, each with the reason where it cannot be
// undone now. The chosen entry stays chosen wherever it moves to. GUI thread.

class Table;

class UndoModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum class Column { Command, State, Count };

    using QAbstractTableModel::QAbstractTableModel;
    void show(std::vector<UndoController::Entry> rows);
    const UndoController::Entry* at(int row) const;
    /// −1: it is there no more.
    int rowOf(std::int64_t id) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<UndoController::Entry> m_rows;
};

class UndoPage : public QDialog
{
    Q_OBJECT

public:
    UndoPage(const ViewContext& context, UndoController& undo, QWidget* parent);

private:
    void refresh();
    void undo();
    void say();

    UndoController& m_undo;
    UndoModel m_model;
    Table* m_table;
    QLabel* m_why;
    QPushButton* m_button;
    UndoController::Entry m_chosen; ///< by the user; id 0: none, then the newest is
    bool m_isRefreshing = false;
    Paced m_follow{[this] { refresh(); }};
};

} // namespace tilewright::ui
