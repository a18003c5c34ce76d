// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/conversation_window.h"

#include "core/model/conversation.h"
#include "ui/models/format.h"
#include "ui/theme/theme.h"
#include "ui/widgets/room.h"

#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

ConversationWindow::ConversationWindow(const Desk& desk, ProposalId id, QWidget* parent)
    : QDialog(parent)
    , m_proposal(id)
    , m_tabs(new QTabBar(this))
{
    setObjectName(u"conversationWindow"_s);
    setAttribute(Qt::WA_DeleteOnClose);
    const RunState& run = desk.session.run();
    const Proposal* proposal = run.proposal(id);
    const QString who = proposal ? text(authorOf(run, *proposal)) : QString();
    const auto made = std::ranges::find_if(
        run.candidates, [id](const Candidate& each) { return each.proposal == id && !each.migrated; });
    setWindowTitle(made != run.candidates.end() ? tr("%1, by %2").arg(nameOfCandidate((*made).id), who)
            : proposal && proposal->state == ProposalState::Duplicate ? tr("A reply of %1 with nothing new").arg(who)
                                                                      : tr("A refused reply of %1").arg(who));
    openAs(*this, 760, 620, parent);
    auto* reply = new ConversationView(desk, ConversationView::Side::Reply, this);
    auto* prompt = new ConversationView(desk, ConversationView::Side::Prompt, this);
    reply->setObjectName(u"conversationReply"_s);
    prompt->setObjectName(u"conversationPrompt"_s);
    m_tabs->setObjectName(u"conversationWindowTabs"_s);
    m_tabs->setAccessibleName(tr("Texts of the proposal"));
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setProperty("kind", u"dense"_s);
    m_tabs->addTab(tr("Reply"));
    m_tabs->addTab(tr("Prompt"));
    auto* pages = new QStackedWidget(this);
    pages->addWidget(reply);
    pages->addWidget(prompt);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, px(4), 0, 0);
    column->setSpacing(0);
    column->addWidget(m_tabs);
    column->addWidget(pages, 1);
    connect(m_tabs, &QTabBar::currentChanged, pages, &QStackedWidget::setCurrentIndex);
    connect(&desk.session, &Session::replaced, this, &QDialog::close);
    reply->show(id);
    prompt->show(id);
}

void ConversationWindow::present(ConversationView::Side side)
{
    m_tabs->setCurrentIndex(side == ConversationView::Side::Reply ? 0 : 1);
    show();
    raise();
    activateWindow();
}

} // namespace tilewright::ui
