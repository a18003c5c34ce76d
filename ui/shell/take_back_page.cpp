// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/take_back_page.h"

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

void TakeBackModel::show(std::vector<TakeBack> rows)
{
    const auto isSame = [](const TakeBack& one, const TakeBack& other) { return one.key == other.key; };
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

const TakeBack* TakeBackModel::at(int row) const
{
    return row >= 0 && row < rowCount() ? &m_rows[static_cast<std::size_t>(row)] : nullptr;
}

int TakeBackModel::rowOf(const QString& key) const
{
    const auto found = std::ranges::find(m_rows, key, &TakeBack::key);
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

int TakeBackModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int TakeBackModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(Column::Count);
}

QVariant TakeBackModel::data(const QModelIndex& index, int role) const
{
    const TakeBack* row = index.isValid() ? at(index.row()) : nullptr;
    if (!row)
        return {};
    const bool isOrder = static_cast<Column>(index.column()) == Column::Order;
    if (role == Qt::ForegroundRole && !row->why.isEmpty())
        return tokens().secondary;
    if (role == Qt::AccessibleTextRole)
        return row->why.isEmpty() ? row->words : tr("%1; not now: %2").arg(row->words, row->why);
    if (role == Qt::ToolTipRole || (role == Qt::DisplayRole && isOrder))
        return isOrder ? row->words : row->why;
    if (role == Qt::DisplayRole)
        return !row->why.isEmpty() ? tr("not now: %1").arg(row->why)
            : row->isEarlier       ? tr("can be taken back; of an earlier opening")
                                   : tr("can be taken back");
    return {};
}

QVariant TakeBackModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return static_cast<Column>(section) == Column::Order ? tr("What was ordered") : tr("Undo");
}

TakeBackPage::TakeBackPage(
    const Desk& desk, SettingUndo& undo, std::function<void(const TakeBack&)> take, QWidget* parent)
    : QDialog(parent)
    , m_desk(desk)
    , m_undo(undo)
    , m_take(std::move(take))
    , m_table(new Table(this))
    , m_back(new QPushButton(icon(u"undo"_s, Tint::Secondary), tr("Take it back"), this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(u"takeBackPage"_s);
    setWindowTitle(tr("What can be undone"));
    openAs(*this, 760, 440, parent);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(px(12), px(12), px(12), px(12));
    column->setSpacing(px(8));
    auto* note = new QLabel(tr("The newest stands first. What was measured since is no order any more."), this);
    note->setProperty("tone", u"secondary"_s);
    note->setWordWrap(true);
    m_table->setObjectName(u"takeBackTable"_s);
    m_table->setAccessibleName(tr("Orders that can be taken back, the newest first"));
    m_table->setModel(&m_model);
    m_table->setNothing(tr("Nothing was ordered that could be taken back."));
    m_table->setColumns({{380, 0, true}, {300}});
    m_back->setObjectName(u"takeBack"_s);
    column->addWidget(note);
    column->addWidget(m_table, 1);
    column->addWidget(m_back, 0, Qt::AlignRight);
    connect(m_back, &QPushButton::clicked, this, &TakeBackPage::takeBack);
    connect(m_table, &QTableView::activated, this, &TakeBackPage::takeBack);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& now) {
        if (const TakeBack* one = m_model.at(now.row()))
            m_chosen = one->key;
        say();
    });
    connect(&desk.session, &Session::changed, this, [this] { m_follow.ask(); });
    connect(&undo, &SettingUndo::changed, this, [this] { m_follow.ask(); });
    refresh();
    m_table->setFocus();
}

void TakeBackPage::refresh()
{
    const QString chosen = m_chosen;
    m_model.show(takeBacks(m_desk, m_undo));
    const int row = m_model.rowOf(chosen);
    m_table->markRow(m_model.index(std::max(row, 0), 0)); // the newest where the chosen one is gone
    say();
}

void TakeBackPage::say()
{
    const TakeBack* one = m_model.at(m_table->currentIndex().row());
    m_back->setEnabled(one && one->why.isEmpty());
    m_back->setToolTip(one ? one->why : QString());
}

void TakeBackPage::takeBack()
{
    const TakeBack* one = m_model.at(m_table->currentIndex().row());
    if (one && one->why.isEmpty())
        m_take(TakeBack(*one)); // a copy: the row may go meanwhile
}

} // namespace tilewright::ui
