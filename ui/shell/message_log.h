// SPDX-License-Identifier: GPL-3.0-or-later
// What the message bar said since the window was opened, newest first: when, what, what to do. GUI thread.
#pragma once

#include "ui/session/action_registry.h"
#include "ui/widgets/message_bar.h"

#include <QAbstractTableModel>
#include <QDateTime>
#include <QDialog>
#include <deque>

namespace tilewright::ui {

class MessageLog : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum class Column { Time, Text, Count };
    static constexpr std::size_t most = 500; ///< older ones go

    using QAbstractTableModel::QAbstractTableModel;
    /// The same again at once counts up instead of standing twice.
    void add(MessageMood mood, const QString& text, const QDateTime& when);
    /// Warnings and errors since the log was last looked at.
    int unseen() const { return m_unseen; }
    void see();

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

Q_SIGNALS:
    void unseenChanged();

private:
    struct Said {
        QDateTime when;
        MessageMood mood;
        QString text;
        int times = 1;
    };
    std::deque<Said> m_messages; ///< newest first
    int m_unseen = 0;
};

/// The log as a page of its own, which can stay open; its texts can be copied.
class MessageLogPage : public QDialog
{
    Q_OBJECT

public:
    MessageLogPage(MessageLog& log, QWidget* parent);
};

// All actions with their keys, made from the registry. GUI thread.

class ShortcutPage : public QDialog
{
    Q_OBJECT

public:
    ShortcutPage(const ActionRegistry& actions, QWidget* parent);
};

} // namespace tilewright::ui
