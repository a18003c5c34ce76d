// SPDX-License-Identifier: GPL-3.0-or-later
// The lines of the event log that hold some words, and are of some kind, in their order. GUI thread.
#pragma once

#include <QSortFilterProxyModel>
#include <QStringList>

namespace tilewright::ui {

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
