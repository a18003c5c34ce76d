// SPDX-License-Identifier: GPL-3.0-or-later
// What happened, what to do about it, and a way to put it away: one line in the row of the menus, where nothing else
// stands, so that no page moves when it comes or goes. GUI thread.
//
// The rule: the newest message is shown, and takes the place of the older of its kind (MessageKind); the others come up
// as it is put away, and the page of all that was said has every one. What the run brings of itself leaves what a
// user reads or reaches for in peace first: eight seconds for an answer, and as long as the pointer or the keyboard
// is in the line; then it comes to the front.
//
// One that comes up again behind a newer one tells when it was said. Buttons keep their places, whatever is shown,
// leave the keyboard where it is when they are clicked, and one click does one thing. What does not fit in the line is
// its tooltip, and opens below it with all that waits.
#pragma once

#include <QFrame>
#include <QPointer>
#include <QString>
#include <QTime>
#include <QTimer>
#include <deque>
#include <functional>
#include <map>
#include <vector>

class QLabel;
class QPushButton;
class QToolButton;

namespace tilewright::ui {

// What was said and not yet put away, newest first. Each message has a number, so that whoever said it puts away that
// one and no other. Only the newest few stay, of mere notes fewer: the log keeps the others. Values in, values out.

enum class MessageMood { Info, Warning, Error };

/// What a message is about: a newer one takes the place of the older of its kind, but for notes and news, of which none
/// makes another void.
enum class MessageKind {
    Note, ///< an answer, or a trouble
    Order, ///< what a user ordered or took back last
    Pace, ///< whether the run goes on, as a user ordered
    News, ///< the run brought it, as the following
    Best, ///< which one is the best
    Waiting, ///< what waits for the user
};

struct Message {
    quint64 number = 0; ///< 0: none
    MessageMood mood = MessageMood::Info;
    QString text;
    MessageKind kind = MessageKind::Note;
    bool operator==(const Message&) const = default;
};

class MessageQueue
{
public:
    static constexpr int mostNotes = 3;
    static constexpr std::size_t most = 8; ///< of all kinds; the page of all that was said has the others

    /// To the front, in place of the older of its kind. Gives its number. The same once more comes to the front with
    /// the number that it has.
    quint64 add(MessageMood mood, const QString& text, MessageKind kind = MessageKind::Note);
    /// The same behind all that is there, until it is raised.
    quint64 addBehind(MessageMood mood, const QString& text, MessageKind kind);
    /// To the front; nothing where it is not there any more.
    void raise(quint64 number);
    /// Other words in the same place, for a figure that went on.
    void restate(quint64 number, const QString& text);
    void remove(quint64 number);
    void clear() { m_messages.clear(); }
    bool has(quint64 number) const;
    /// The one to show; its number is 0 where nothing is to be said.
    Message front() const { return m_messages.empty() ? Message{} : m_messages.front(); }
    const std::deque<Message>& all() const { return m_messages; }

private:
    std::deque<Message> m_messages; ///< newest first
    quint64 m_newest = 0;
};

class ElidedLabel;

class MessageBar : public QFrame
{
    Q_OBJECT

public:
    using Mood = MessageMood;
    using Kind = MessageKind;

    explicit MessageBar(QWidget* parent = nullptr);
    /// Gives the number of the message.
    quint64 show(Mood mood, const QString& text, const QString& hint, Kind kind = Kind::Note);
    /// A figure of it went on: other words in its place, wherever it stands. That is no message of its own.
    void restate(quint64 number, const QString& text, const QString& hint);
    /// Beside that message: a button that does this and puts the message away.
    void offer(quint64 number, const QString& words, std::function<void()> does);
    void clearProposer(quint64 number);
    void clear();
    bool has(quint64 number) const { return m_queue.has(number); }
    /// Of the message that is shown; empty if none is.
    QString text() const { return m_queue.front().text; }
    /// The keyboard goes to what can be done about the message; Escape there puts it away.
    void takeFocus();

Q_SIGNALS:
    void said(tilewright::ui::MessageMood mood, const QString& text);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Beside { ///< of a message
        quint64 turn = 0; ///< in which it was said last
        QTime said = {};
        QString offered = {};
        std::function<void()> does = {}; ///< null: nothing is offered
    };

    void refresh();
    void tint();
    void arrange();
    void fixPlaces();
    void showAll();
    void giveFocusBack();
    void takeOffer();
    void bringNews();
    bool isReachedFor() const;

    MessageQueue m_queue;
    std::map<quint64, Beside> m_beside;
    quint64 m_turns = 0, m_newestShown = 0;
    QTimer m_answered{this}; ///< runs while what was said last is to be read in peace
    std::vector<quint64> m_news; ///< that came meanwhile
    QLabel* m_icon;
    ElidedLabel* m_text;
    QPushButton *m_offer, *m_all;
    QToolButton* m_close;
    QPointer<QWidget> m_before; ///< had the keyboard before the message took it
};

} // namespace tilewright::ui
