// SPDX-License-Identifier: GPL-3.0-or-later
// The buttons under a review, the reason of a rejection, and what a word will do. GUI thread.
#pragma once

#include "core/model/run_state.h"
#include "ui/session/action_registry.h"
#include "ui/widgets/segments.h"

#include <QAction>
#include <QFrame>
#include <QPushButton>
#include <map>

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QMenu;
class QPushButton;
class QToolButton;

namespace tilewright::ui {

class DecisionBar : public QFrame
{
    Q_OBJECT

public:
    /// Reading: the diff is shown. Editing: the user's text is. Checked: it is built, and approved then. Sent: the
    /// engine takes it.
    enum class Mode { Reading, Editing, Checked, Sent };

    explicit DecisionBar(const ActionRegistry& actions, QWidget* parent = nullptr);
    void setMode(Mode mode);
    /// Who is told the reason of a rejection: a model, whoever answers prompts by hand, or nobody in this session.
    enum class Reader { Model, Person, Nobody };
    void setReader(Reader reader);
    Reader reader() const { return m_reader; }
    enum class Reason { Wanted, Lacking };
    /// What a word will do. Lacking: a rejection was to be sent off without a reason; the field and this say so.
    void setWord(const QString& word, Reason reason = Reason::Wanted);
    /// Why the edits cannot be approved as they are; "" where they can.
    void setObstacle(const QString& why);
    /// A word will be on so many; edits are made to one alone.
    void setCount(int count);
    QString reason() const;
    /// "" empties the line.
    void setReason(const QString& reason);
    void askForReason(); ///< puts the cursor there
    void press(const QAction* order); ///< its button looks pressed
    void release(); ///< none does

Q_SIGNALS:
    void accepted(); ///< of an edit
    void cancelled();
    void reasonEntered(); ///< Return in the line, or a click beside it once it is there
    void reasonChanged(); ///< by a user: typed, or one of the usual ones
    void countChanged();
    void focusFreed(); ///< what had the keyboard gives it away: it cannot be used any more, or Esc left it

protected:
    QSize minimumSizeHint() const override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    QPushButton* button(const QString& action, const QString& kind, const QString& icon);
    void addChip(QHBoxLayout& row, const QString& text);
    void addReason(const QString& text);
    void fitReason();
    void enableEditing();

    const ActionRegistry& m_actions;
    Mode m_mode = Mode::Reading;
    int m_count = 1;
    Reader m_reader = Reader::Model;
    QLineEdit* m_reason;
    QToolButton* m_usual; ///< where the chips have no room
    QMenu* m_menu;
    QList<QWidget*> m_reading, m_editing;
    QList<QPushButton*> m_chips; ///< a usual reason each
    std::map<const QAction*, QPushButton*> m_buttons;
    QPushButton *m_edit, *m_accept;
    QString m_obstacle;
    BriefButtons m_brief;
    QLabel* m_word;
};

// What a user's word would do to the candidate that is read in Review, and why it waits for one. Pure.

/// "c-0012 needs a review: touches casts"; empty where it asks for no word.
QString whyItWaits(const RunState& run, const Candidate& candidate);

/// It was to be rejected, and only the reason is left to be said. InVain: it was sent off without one.
enum class ReasonAsked { No, Yes, InVain };

struct WordAtHand {
    int chosen = 1; ///< on so many it would be
    bool waits = false;
    bool hasDraft = false; ///< a user began another text of it
    bool isElsewhere = false; ///< the device of the session is not on this machine
    ReasonAsked asksReason = ReasonAsked::No;
    DecisionBar::Reader reader = DecisionBar::Reader::Model;
    QString reason, givenBack; ///< given back: with a rejection that was taken back
    QString next; ///< the key that leads to what waits; empty where nothing does
};

/// Beside the buttons.
QString decisionWords(const RunState& run, const Candidate& candidate, const WordAtHand& word);

// A small button that triggers an action, names its keys, and tells why it is disabled as the action does. GUI thread.

/// Its text and the keys of its action; the last ones where letters are written.
enum class ActionKeys { First, WhileWriting };
inline QString wordsWithKeys(const QString& text, const QAction& action, ActionKeys keys = ActionKeys::First)
{
    const QList<QKeySequence> all = action.shortcuts();
    const QKeySequence shown = all.isEmpty() ? QKeySequence() : keys == ActionKeys::First ? all.first() : all.last();
    return QStringLiteral("%1  %2").arg(text, shown.toString(QKeySequence::NativeText));
}

inline QPushButton* actionButton(const QString& name, const QString& text, const QAction& action, QWidget* parent)
{
    auto* button = new QPushButton(wordsWithKeys(text, action), parent);
    button->setObjectName(name);
    button->setProperty("kind", QStringLiteral("small"));
    const auto follow = [button, &action] {
        button->setToolTip(action.toolTip());
        button->setEnabled(action.isEnabled());
    };
    follow();
    QObject::connect(&action, &QAction::changed, button, follow);
    QObject::connect(button, &QPushButton::clicked, &action, &QAction::trigger);
    return button;
}

} // namespace tilewright::ui
