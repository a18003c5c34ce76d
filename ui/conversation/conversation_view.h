// SPDX-License-Identifier: GPL-3.0-or-later
// What was asked for a proposal, or what came back: the text as it went over the wire, who answered, at what price.
// Where it took several turns, each can be looked at. GUI thread.
#pragma once

#include "core/model/conversation.h"
#include "ui/session/desk.h"
#include "ui/session/text_slot.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;

namespace tilewright::ui {

class CodeView;

class ConversationView : public QWidget
{
    Q_OBJECT

public:
    enum class Side { Prompt, Reply };

    ConversationView(const Desk& desk, Side side, QWidget* parent = nullptr);
    void show(ProposalId proposal);
    void clear();
    /// What is shown, to the byte: system text, blank line and prompt; or the reply.
    QString text() const;

private:
    void showTurn();
    void fill();

    Desk m_desk;
    Side m_side;
    QLabel* m_facts;
    QComboBox* m_turn;
    QPushButton* m_copy;
    CodeView* m_view;
    TextSlot m_first, m_second; ///< system and prompt; the reply alone in the second
    std::optional<QString> m_firstText, m_secondText;
    std::vector<Turn> m_turns;
    ProposalId m_proposal;
};

} // namespace tilewright::ui
