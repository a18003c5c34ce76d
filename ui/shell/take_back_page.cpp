// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/take_back_page.h"

#include "ui/models/format.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/room.h"
#include "ui/widgets/sentence.h"
#include "ui/widgets/table.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

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

namespace {

constexpr double widestReason = 640; ///< a sentence; the order beside it gives way

} // namespace

TakeBackPage::TakeBackPage(
    const Desk& desk, SettingUndo& undo, std::function<void(const TakeBack&)> take, QWidget* parent)
    : QDialog(parent)
    , m_desk(desk)
    , m_undo(undo)
    , m_take(std::move(take))
    , m_table(new Table(this))
    , m_why(new QLabel(this))
    , m_news(new QLabel(this))
    , m_back(new QPushButton(icon(u"undo"_s, Tint::Secondary), tr("Take it back"), this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(u"takeBackPage"_s);
    setWindowTitle(tr("What can be undone"));
    openAs(*this, 1040, 440, parent);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(px(12), px(12), px(12), px(12));
    column->setSpacing(px(8));
    auto* note = new QLabel(tr("The newest stands first. What has been measured since cannot be taken back."), this);
    note->setProperty("tone", u"secondary"_s);
    note->setWordWrap(true);
    m_table->setObjectName(u"takeBackTable"_s);
    m_table->setAccessibleName(tr("Orders that can be taken back, the newest first"));
    m_table->setModel(&m_model);
    m_table->setNothing(
        tr("Nothing was ordered that could be taken back. What you order stands here: words on edits, "
           "changes of budget, proposer, review policy, hints and prompts, orders to islands, stars and "
           "tags, wishes, versions of your own, and what you had forgotten or discarded."));
    m_table->setColumns({{260, 0, true}, {300}});
    m_back->setObjectName(u"takeBack"_s);
    for (QLabel* label : {m_why, m_news}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setProperty("tone", u"secondary"_s);
    }
    m_why->setObjectName(u"takeBackWhy"_s);
    m_news->setObjectName(u"takeBackNews"_s);
    m_news->setVisible(false);
    column->addWidget(note);
    column->addWidget(m_news);
    column->addWidget(m_table, 1);
    auto* below = new QHBoxLayout;
    below->setSpacing(px(8));
    below->addWidget(m_why, 1);
    below->addWidget(m_back, 0, Qt::AlignTop);
    auto* close = new QPushButton(tr("Close"), this);
    close->setObjectName(u"closeTakeBack"_s);
    close->setAutoDefault(false);
    below->addWidget(close, 0, Qt::AlignTop);
    connect(close, &QPushButton::clicked, this, &QDialog::close);
    column->addLayout(below);
    connect(m_back, &QPushButton::clicked, this, &TakeBackPage::takeBack);
    connect(m_table, &QTableView::activated, this, &TakeBackPage::takeBack);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& now) {
        const TakeBack* one = m_model.at(now.row());
        if (one && !m_isRefreshing) {
            m_chosen = *one;
            say();
        }
    });
    connect(m_table, &Table::rowHovered, this, [this](const QModelIndex& index) {
        if (std::exchange(m_isPointedAt, index.isValid()) && !m_isPointedAt)
            refresh();
    });
    connect(&desk.session, &Session::changed, this, [this] { m_follow.ask(); });
    connect(&undo, &SettingUndo::changed, this, [this] { m_follow.ask(); });
    refresh();
    m_table->setFocus();
}

QString TakeBackPage::whyGone(const QString& key) const
{
    return m_taken.contains(key) ? tr("it is taken back") : tr("it was carried out, or taken back elsewhere");
}

std::vector<TakeBack> TakeBackPage::inPlace(const std::vector<TakeBack>& now) const
{
    std::vector<TakeBack> all;
    for (const TakeBack& each : m_model.rows()) {
        const auto found = std::ranges::find(now, each.key, &TakeBack::key);
        all.push_back(found == now.end() ? each : *found);
        if (found == now.end())
            all.back().why = whyGone(each.key);
    }
    return all;
}

void TakeBackPage::refresh()
{
    const std::vector<TakeBack> now = takeBacks(m_desk, m_undo);
    const Table::LookedAt looked = m_table->lookedAt();
    m_isRefreshing = true;
    m_model.show(m_isPointedAt ? inPlace(now) : now);
    // Where nobody chose one, the newest; a chosen one that is gone is not replaced: the button would take another.
    m_table->markRow(m_model.index(m_chosen.key.isEmpty() ? 0 : m_model.rowOf(m_chosen.key), 0));
    m_isRefreshing = false;
    m_table->growColumns(widestReason);
    m_table->keepInPlace(looked);
    const auto news = std::ranges::count_if(now, [this](const TakeBack& each) { return m_model.rowOf(each.key) < 0; });
    m_news->setVisible(news > 0);
    m_news->setText(counted(news, tr("%1 came since. It is shown as soon as the pointer leaves the rows."),
        tr("%1 came since. They are shown as soon as the pointer leaves the rows.")));
    say();
}

void TakeBackPage::say()
{
    const TakeBack* one = m_model.at(m_table->currentIndex().row());
    m_back->setEnabled(one && one->why.isEmpty());
    m_back->setToolTip(one ? one->why : QString());
    m_why->setText(one && !one->why.isEmpty() ? tr("Not now: %1.").arg(one->why)
            : !one && !m_chosen.key.isEmpty() ? tr("%1: %2.").arg(asSentence(m_chosen.words), whyGone(m_chosen.key))
                                              : QString());
}

void TakeBackPage::takeBack()
{
    const TakeBack* one = m_model.at(m_table->currentIndex().row());
    if (!one || !one->why.isEmpty())
        return;
    m_taken.insert(one->key);
    m_take(TakeBack(*one)); // a copy: the row may go meanwhile
}

} // namespace tilewright::ui
