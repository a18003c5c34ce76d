// SPDX-License-Identifier: GPL-3.0-or-later
// Letters are orders on the Review page. One that comes within a fast row of others is of a word that somebody writes,
// as to find it in the list: it is no order. So the first letter waits, its button pressed, until it is known that none
// follows: then, or as soon as anything else is done, it is carried out on whom it was meant for. GUI thread.
#pragma once

#include "core/base/ids.h"
#include "ui/session/view_context.h"

#include <QLabel>
#include <QObject>
#include <QTimer>
#include <chrono>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

class QAction;
class QKeyEvent;
class QWidget;

namespace tilewright::ui {

class ActionRegistry;

class ShortcutGuard : public QObject
{
    Q_OBJECT

public:
    /// From key to key, while a word is written; so long waits an order of a letter.
    static constexpr std::chrono::milliseconds fast{300};
    using Clock = std::function<std::chrono::milliseconds()>;

    /// meant: on whom an order would be now.
    ShortcutGuard(const ActionRegistry& actions, QWidget& page, std::function<std::vector<CandidateId>()> meant);
    /// Looks at the keys that come to the page's window; texts that are written in keep theirs to themselves.
    void watch();
    /// The next key begins anew, as after a rest.
    void rest();
    /// Another time than that of the machine.
    void setClock(Clock clock) { m_now = std::move(clock); }
    /// Whether what waits has waited long enough.
    void look();

Q_SIGNALS:
    void held(QAction* order); ///< it waits
    void settled(); ///< it does not wait any more: it is carried out next, or nothing comes of it
    void written(); ///< a letter was no order

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    std::chrono::milliseconds sinceLast() const; ///< key that writes
    bool isOfAWord(const QKeyEvent& key);
    bool isTaken(const QKeyEvent& key); ///< it is no shortcut, for now or for good
    bool takesBack(const QKeyEvent& key) const; ///< what waits
    QAction* orderOf(const QKeyEvent& key) const; ///< that waits first; null: none
    void hold(QAction& order);
    void carryOut();
    void drop();

    const ActionRegistry& m_actions;
    QWidget& m_page;
    std::function<std::vector<CandidateId>()> m_meant;
    Clock m_now;
    std::optional<std::chrono::milliseconds> m_last; ///< when the newest key came that writes
    bool m_wasLetter = false, m_isWord = false; ///< in the row of keys that goes on
    QTimer m_wait;
    QAction* m_order = nullptr; ///< that waits
    std::vector<CandidateId> m_for; ///< whom it is meant for
    int m_taken = 0; ///< the key whose press is nobody's: it was no shortcut
};

// Below the queue: which letters are orders here, as a letter that is typed to find something would be one. For a while
// after a word was typed it says what finds. GUI thread.

class ActionRegistry;

class ShortcutNote : public QLabel
{
    Q_OBJECT

public:
    explicit ShortcutNote(const ActionRegistry& actions, QWidget* parent = nullptr);
    /// A word was typed, as if letters were none.
    void sayWhatFinds();
    /// Letters are written: a text is edited.
    void setWriting(bool writing);

private:
    void tell();

    const ActionRegistry& m_actions;
    QTimer m_while;
    bool m_isWriting = false;
};

// What stands in the field for a reason: what a user wrote for the candidate that is read and has not said yet, kept
// for it alone until a word with it holds; else the reason that was taken back with the word on it. GUI thread.

class DecisionBar;

class ReasonDrafts : public QObject
{
public:
    ReasonDrafts(const ViewContext& context, DecisionBar& bar);
    void showOf(CandidateId candidate);
    /// The word on it is being taken back: the run does not hold its reason as one that was yet.
    void giveBack(const QString& reason);
    /// It was said. One whose word is refused has its text again.
    void empty();
    /// Of the candidate that is read; "" where there is none, or it was said again.
    const QString& givenBack() const { return m_givenBack; }

private:
    QString placeOf(CandidateId candidate) const;
    void keep();
    void dropSaid();

    ViewContext m_context;
    DecisionBar& m_bar;
    CandidateId m_candidate;
    QString m_givenBack;
};

} // namespace tilewright::ui
