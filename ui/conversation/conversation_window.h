// SPDX-License-Identifier: GPL-3.0-or-later
// A window with the prompt and the reply of one proposal: of one that is reviewed, and of replies that no candidate
// came of, which the inspector therefore does not show. Deletes itself when it is closed, or its session is. GUI
// thread.
#pragma once

#include "ui/conversation/conversation_view.h"

#include <QDialog>

class QTabBar;

namespace tilewright::ui {

class ConversationWindow : public QDialog
{
    Q_OBJECT

public:
    ConversationWindow(const Desk& desk, ProposalId proposal, QWidget* parent);
    ProposalId proposal() const { return m_proposal; }
    /// Shows this text, before other windows.
    void present(ConversationView::Side side);

private:
    ProposalId m_proposal;
    QTabBar* m_tabs;
};

} // namespace tilewright::ui
