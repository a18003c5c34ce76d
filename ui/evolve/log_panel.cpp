// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/log_panel.h"

#include "ui/conversation/conversation_window.h"
#include "ui/theme/theme.h"
#include "ui/widgets/table.h"

#include <QHeaderView>
#include <QScrollBar>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

LogPanel::LogPanel(const Desk& desk, QWidget* parent)
    : QWidget(parent)
    , m_desk(desk)
    , m_table(new Table(this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_table);
    m_table->setObjectName(u"logTable"_s);
    m_table->setAccessibleName(tr("Event log"));
    m_table->setModel(&m_model);
    m_table->setColumnWidth(static_cast<int>(LogModel::Column::Time), px(104));
    m_table->setColumnWidth(static_cast<int>(LogModel::Column::Candidate), px(90));
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->setRowHeight(px(24));
    connect(m_table, &Table::clicked, this, [this](const QModelIndex& index) {
        if (const CandidateId id = m_model.candidateAt(index.row()))
            m_desk.selection.select(id);
    });
    connect(m_table, &Table::activated, this, [this](const QModelIndex& index) {
        if (const CandidateId id = m_model.candidateAt(index.row()))
            m_desk.selection.select(id);
        else if (const ProposalId proposal = m_model.proposalAt(index.row()))
            (new ConversationWindow(m_desk, proposal, this))->show();
    });
    connect(&desk.session, &Session::changed, this, [this] { m_follow.ask(); });
    refresh();
}

void LogPanel::goTo(int row)
{
    m_follow.now(); // the newest lines may not be shown yet
    const QModelIndex index = m_model.index(row, static_cast<int>(LogModel::Column::Text));
    if (!index.isValid())
        return;
    m_table->setCurrentIndex(index);
    m_table->scrollTo(index, QAbstractItemView::PositionAtCenter);
}

void LogPanel::refresh()
{
    const QScrollBar* bar = m_table->verticalScrollBar();
    const bool atEnd = bar->value() >= bar->maximum() - px(4);
    m_model.show(m_desk.session.pointer());
    if (atEnd)
        m_table->scrollToBottom();
}

} // namespace tilewright::ui
