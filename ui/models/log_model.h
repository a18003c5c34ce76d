// SPDX-License-Identifier: GPL-3.0-or-later
// The event log as a table; it only grows, one insert a snapshot. The first line of each day says its date. GUI thread.
#pragma once

#include "core/engine/snapshot.h"

#include <QAbstractTableModel>
#include <QDate>
#include <QSortFilterProxyModel>
#include <QStringList>

namespace tilewright::ui {

class LogModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum class Column { Time, Candidate, Text, Count };

    using QAbstractTableModel::QAbstractTableModel;

    void show(SnapshotPtr snapshot);
    CandidateId candidateAt(int row) const;
    ProposalId proposalAt(int row) const; ///< whose reply the line is about, where no candidate came of it

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    /// The day that begins with this row; invalid within a day.
    QDate newDayAt(int row) const;

    SnapshotPtr m_snapshot = std::make_shared<const Snapshot>();
    int m_rows = 0;
};

// The lines of the event log that hold some words, and are of some kind, in their order. GUI thread.

class LogFilter : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    enum class Kind { All, Better, Trouble, Count };

    using QSortFilterProxyModel::QSortFilterProxyModel;
    /// Each word has to stand somewhere in the line: its time, its candidate or what happened. Upper and lower case
    /// are the same.
    void setWords(const QString& words);
    void setKind(Kind kind);
    Kind kind() const { return m_kind; }
    bool isFiltered() const { return !m_words.isEmpty() || m_kind != Kind::All; }

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    QStringList m_words;
    Kind m_kind = Kind::All;
};

} // namespace tilewright::ui
