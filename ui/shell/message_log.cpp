// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/message_log.h"

#include "ui/settings/settings_page.h"
#include "ui/theme/theme.h"
#include "ui/widgets/room.h"
#include "ui/widgets/table.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

void MessageLog::add(MessageMood mood, const QString& text, const QDateTime& when)
{
    if (!m_messages.empty() && m_messages.front().text == text && m_messages.front().mood == mood) {
        ++m_messages.front().times;
        m_messages.front().when = when;
        Q_EMIT dataChanged(index(0, 0), index(0, columnCount() - 1));
    } else {
        beginInsertRows({}, 0, 0);
        m_messages.push_front({when, mood, text, 1});
        endInsertRows();
    }
    if (m_messages.size() > most) {
        beginRemoveRows({}, static_cast<int>(most), static_cast<int>(most));
        m_messages.pop_back();
        endRemoveRows();
    }
    if (mood != MessageMood::Info) {
        ++m_unseen;
        Q_EMIT unseenChanged();
    }
}

void MessageLog::see()
{
    if (std::exchange(m_unseen, 0) != 0)
        Q_EMIT unseenChanged();
}

int MessageLog::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_messages.size());
}

int MessageLog::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(Column::Count);
}

QVariant MessageLog::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const Said& message = m_messages[static_cast<std::size_t>(index.row())];
    if (static_cast<Column>(index.column()) == Column::Time)
        return role == Qt::DisplayRole ? QVariant(message.when.toString(u"HH:mm:ss"_s))
            : role == Qt::ToolTipRole  ? QVariant(message.when.toString(Qt::ISODate))
                                       : QVariant();
    const QString mood = message.mood == MessageMood::Error ? tr("Error")
        : message.mood == MessageMood::Warning              ? tr("Warning")
                                                            : tr("Note");
    switch (role) {
    case Qt::DisplayRole:
        return message.times > 1 ? tr("%1 (%2 times)").arg(message.text).arg(message.times) : message.text;
    case Qt::ToolTipRole:
        return message.text;
    case Qt::AccessibleTextRole:
        return u"%1: %2"_s.arg(mood, message.text);
    case Qt::DecorationRole:
        return message.mood == MessageMood::Info
            ? icon(u"info"_s, Tint::Secondary)
            : icon(u"warn"_s, message.mood == MessageMood::Error ? Tint::Bad : Tint::Warning);
    default:
        return {};
    }
}

QVariant MessageLog::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return static_cast<Column>(section) == Column::Time ? tr("Time") : tr("Message history");
}

MessageLogPage::MessageLogPage(MessageLog& log, QWidget* parent)
    : QDialog(parent)
{
    setObjectName(u"messageLog"_s);
    setWindowTitle(tr("Messages"));
    setAttribute(Qt::WA_DeleteOnClose);
    openAs(*this, 720, 420, parent);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(px(12), px(12), px(12), px(12));
    column->setSpacing(px(8));
    auto* table = new Table(this);
    table->setObjectName(u"messageTable"_s);
    table->setAccessibleName(tr("Messages, newest first"));
    table->setModel(&log);
    table->setNothing(tr("No messages yet."));
    table->setColumns({{80}, {400, 0, true}});
    auto* whole = new QLabel(tr("Choose a message to read its full text."), this);
    whole->setObjectName(u"messageWhole"_s);
    whole->setWordWrap(true);
    whole->setTextFormat(Qt::PlainText);
    whole->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* copy = new QPushButton(icon(u"copy"_s, Tint::Secondary), tr("Copy all"), this);
    copy->setObjectName(u"copyMessages"_s);
    column->addWidget(table, 1);
    column->addWidget(whole);
    column->addWidget(copy, 0, Qt::AlignRight);
    const auto textAt = [&log](int row) {
        return log.index(row, static_cast<int>(MessageLog::Column::Text)).data(Qt::AccessibleTextRole).toString();
    };
    connect(table->selectionModel(), &QItemSelectionModel::currentRowChanged, whole,
        [whole, textAt](
            const QModelIndex& index) { whole->setText(index.isValid() ? textAt(index.row()) : QString()); });
    connect(copy, &QPushButton::clicked, this, [&log, textAt] {
        QStringList lines;
        for (int row = 0; row < log.rowCount(); ++row)
            lines << log.index(row, 0).data(Qt::ToolTipRole).toString() + u' ' + textAt(row);
        QGuiApplication::clipboard()->setText(lines.join(u'\n'));
    });
    log.see();
    connect(&log, &MessageLog::unseenChanged, this, [&log] { log.see(); }); // it is in sight
}

ShortcutPage::ShortcutPage(const ActionRegistry& actions, QWidget* parent)
    : QDialog(parent)
{
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Shortcuts"));
    openAs(*this, 900, 560, parent);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(new ShortcutTable(actions, this));
}

} // namespace tilewright::ui
