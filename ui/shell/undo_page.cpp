// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/undo_page.h"

#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/room.h"
#include "ui/widgets/table.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

void UndoModel::show(std::vector<UndoController::Entry> rows)
{
    const auto isSame = [](const auto& one, const auto& other) { return one.id == other.id; };
    if (std::ranges::equal(rows, m_rows, isSame)) {
        m_rows = std::move(rows);
        if (!m_rows.empty())
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        return;
    }
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

const UndoController::Entry* UndoModel::at(int row) const
{
    return row >= 0 && row < rowCount() ? &m_rows[static_cast<std::size_t>(row)] : nullptr;
}

int UndoModel::rowOf(std::int64_t id) const
{
    const auto found = std::ranges::find(m_rows, id, &UndoController::Entry::id);
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

int UndoModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int UndoModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(Column::Count);
}

QVariant UndoModel::data(const QModelIndex& index, int role) const
{
    const UndoController::Entry* row = index.isValid() ? at(index.row()) : nullptr;
    if (!row)
        return {};
    const bool isCommand = static_cast<Column>(index.column()) == Column::Command;
    if (role == Qt::ForegroundRole && !row->blocked.isEmpty())
        return tokens().secondary;
    if (role == Qt::AccessibleTextRole)
        return row->blocked.isEmpty() ? row->description : tr("%1; blocked: %2").arg(row->description, row->blocked);
    if (role == Qt::ToolTipRole || (role == Qt::DisplayRole && isCommand))
        return isCommand ? row->description : row->blocked;
    if (role == Qt::DisplayRole)
        return !row->blocked.isEmpty() ? tr("Blocked: %1").arg(row->blocked)
            : row->isEarlier           ? tr("Can be undone; earlier session")
                                       : tr("Can be undone");
    return {};
}

QVariant UndoModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return static_cast<Column>(section) == Column::Command ? tr("Command") : tr("Undo");
}

namespace {

constexpr double widestReason = 640; ///< a sentence; the order beside it gives way

} // namespace

UndoPage::UndoPage(const Desk& desk, UndoController& undo, QWidget* parent)
    : QDialog(parent)
    , m_undo(undo)
    , m_table(new Table(this))
    , m_why(new QLabel(this))
    , m_button(new QPushButton(icon(u"undo"_s, Tint::Secondary), tr("Undo"), this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(u"undoPage"_s);
    setWindowTitle(tr("Undo history"));
    openAs(*this, 1040, 440, parent);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(px(12), px(12), px(12), px(12));
    column->setSpacing(px(8));
    auto* note = new QLabel(tr("Newest first. A command whose result is measured cannot be undone."), this);
    note->setProperty("tone", u"secondary"_s);
    note->setWordWrap(true);
    m_table->setObjectName(u"undoTable"_s);
    m_table->setAccessibleName(tr("Commands that can be undone, newest first"));
    m_table->setModel(&m_model);
    m_table->setNothing(tr("No command can be undone yet. Decisions, settings, hints, prompts, island commands, marks, "
                           "requests, re-runs and injected programs appear here."));
    m_table->setColumns({{260, 0, true}, {300}});
    m_button->setObjectName(u"undoEntry"_s);
    m_why->setTextFormat(Qt::PlainText);
    m_why->setWordWrap(true);
    m_why->setProperty("tone", u"secondary"_s);
    m_why->setObjectName(u"undoWhy"_s);
    column->addWidget(note);
    column->addWidget(m_table, 1);
    auto* below = new QHBoxLayout;
    below->setSpacing(px(8));
    below->addWidget(m_why, 1);
    below->addWidget(m_button, 0, Qt::AlignTop);
    auto* close = new QPushButton(tr("Close"), this);
    close->setObjectName(u"closeUndoPage"_s);
    close->setAutoDefault(false);
    below->addWidget(close, 0, Qt::AlignTop);
    connect(close, &QPushButton::clicked, this, &QDialog::close);
    column->addLayout(below);
    connect(m_button, &QPushButton::clicked, this, &UndoPage::undo);
    connect(m_table, &QTableView::activated, this, &UndoPage::undo);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& now) {
        const UndoController::Entry* one = m_model.at(now.row());
        if (one && !m_isRefreshing) {
            m_chosen = *one;
            say();
        }
    });
    connect(&desk.session, &Session::changed, this, [this] { m_follow.ask(); });
    connect(&undo, &UndoController::changed, this, [this] { m_follow.ask(); });
    refresh();
    m_table->setFocus();
}

void UndoPage::refresh()
{
    const Table::LookedAt looked = m_table->lookedAt();
    m_isRefreshing = true;
    m_model.show(m_undo.entries());
    // Where nobody chose one, the newest; a chosen one that is gone is not replaced: the button would undo another.
    m_table->markRow(m_model.index(m_chosen.id == 0 ? 0 : m_model.rowOf(m_chosen.id), 0));
    m_isRefreshing = false;
    m_table->growColumns(widestReason);
    m_table->keepInPlace(looked);
    say();
}

void UndoPage::say()
{
    const UndoController::Entry* one = m_model.at(m_table->currentIndex().row());
    m_button->setEnabled(one && one->blocked.isEmpty());
    m_button->setToolTip(one ? one->blocked : QString());
    m_why->setText(one && !one->blocked.isEmpty() ? tr("Blocked: %1.").arg(one->blocked)
            : !one && m_chosen.id != 0 ? tr("%1: it was carried out, or undone already.").arg(m_chosen.description)
                                       : QString());
}

void UndoPage::undo()
{
    const UndoController::Entry* one = m_model.at(m_table->currentIndex().row());
    if (one && one->blocked.isEmpty())
        m_undo.undo(one->id);
}

} // namespace tilewright::ui
