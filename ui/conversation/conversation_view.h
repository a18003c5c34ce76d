// SPDX-License-Identifier: GPL-3.0-or-later
// What was asked for a proposal, or what came back: the text as it went over the wire, who answered, at what price.
// Where it took several turns, each can be looked at. GUI thread.
#pragma once

#include "core/model/requests/conversation.h"
#include "ui/session/listing_slot.h"
#include "ui/session/view_context.h"
#include "ui/widgets/code_view.h"

#include <QDialog>
#include <QString>
#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;

class QTabBar;

namespace tilewright::ui {

class CodeView;

class ConversationView : public QWidget
{
    Q_OBJECT

public:
    enum class Side { Prompt, Reply };

    ConversationView(const ViewContext& context, Side side, QWidget* parent = nullptr);
    void show(ProposalId proposal);
    void clear();
    /// What is shown, to the byte: system text, blank line and prompt; or the reply.
    QString text() const;

private:
    void showTurn();
    void fill();

    ViewContext m_context;
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

// A window with the prompt and the reply of one proposal: of one that is reviewed, and of replies that no candidate
// came of, which the inspector therefore does not show. Deletes itself when it is closed, or its session is. GUI
// thread.

class ConversationWindow : public QDialog
{
    Q_OBJECT

public:
    ConversationWindow(const ViewContext& context, ProposalId proposal, QWidget* parent);
    ProposalId proposal() const { return m_proposal; }
    /// Shows this text, before other windows.
    void present(ConversationView::Side side);

private:
    ProposalId m_proposal;
    QTabBar* m_tabs;
};

// Prompts and replies as lines to show, and the words about them. Pure.

/// The reply's lines, numbered; those of proposal `part` are marked (0: the whole reply is the proposal, none is).
std::vector<CodeLine> replyLines(const std::string& reply, int part);

/// "template explore v2 · writer · 12 340 tokens · $0.012 · 14 s"; what is unknown says so.
QString factsOf(const RunState& run, const ModelRequest& modelRequest);
/// "2 calls · 12 340 tokens read, 800 written · $0.012": of all calls that were needed for it; what is unknown says so.
/// Empty where no model was asked.
QString priceOf(const RunState& run, ProposalId id);
/// Why a proposal has no prompt, for a user; empty if it has one.
QString noPromptReason(const RunState& run, ProposalId id);
/// "$0.0123"; "unknown" for none.
QString costWords(const std::optional<std::int64_t>& microUsd);

} // namespace tilewright::ui
