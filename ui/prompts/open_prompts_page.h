// SPDX-License-Identifier: GPL-3.0-or-later
// The prompts that wait for a reply given manually, the chosen one to read and to copy, a place for the reply, and what
// came of the replies that were sent. What was begun for one prompt is kept while another is looked at. GUI thread.
#pragma once

#include "ui/prompts/answered_model.h"
#include "ui/prompts/open_prompts_model.h"
#include "ui/session/listing_slot.h"
#include "ui/session/view_context.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QStackedWidget;

namespace tilewright::ui {

class CodeView;
class DockTitle;
class ReplyBox;
class Segments;
class Table;

class OpenPromptsPage : public QWidget
{
    Q_OBJECT

public:
    explicit OpenPromptsPage(const ViewContext& context, QWidget* parent = nullptr);

    ModelRequestId chosen() const { return m_chosen; }
    void choose(ModelRequestId modelRequest);
    void find(); ///< words in the prompt
    void setLoading(bool loading);
    int open() const { return m_model.rowCount(); }

private:
    enum Part { Whole, System, User };

    QWidget* buildList();
    QWidget* buildAnswered(QWidget* side);
    void showAnswered();
    void showOutcome();
    void goTo(CandidateId candidate);
    void showNothingOut();
    QWidget* buildReader();
    QWidget* buildNothing();
    void refresh();
    void showPart();
    QString textOf(Part part) const;
    void save();
    void say(const QString& text);

    ViewContext m_context;
    OpenPromptsModel m_model;
    AnsweredModel m_answeredModel;
    QStackedWidget* m_stack;
    Table *m_table, *m_answered;
    QWidget* m_answeredPart; ///< gone until something was answered
    QLabel* m_outcome; ///< of the chosen row, with a link to its candidate
    bool m_hasChosenReply = false; ///< by the user: else what came of the newest reply is shown
    DockTitle *m_listTitle, *m_readerTitle, *m_replyTitle;
    Segments* m_parts;
    CodeView* m_reader;
    ReplyBox* m_reply;
    QLabel* m_nothing;
    QPushButton *m_copy, *m_save;
    TextSlot m_system, m_user, m_source;
    QString m_systemText, m_userText;
    std::string m_parentText;
    ModelRequestId m_chosen;
};

} // namespace tilewright::ui
