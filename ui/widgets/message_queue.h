// SPDX-License-Identifier: GPL-3.0-or-later
// What was said and not yet put away, newest first. Each message has a number, so that whoever said it puts away that
// one and no other. Only the newest few stay, of mere notes fewer: the log keeps the others. Values in, values out.
#pragma once

#include <QString>
#include <deque>

namespace tilewright::ui {

enum class MessageMood { Info, Warning, Error };

/// What a message is about: a newer one takes the place of the older of its kind, but for notes and news, of which none
/// makes another void.
enum class MessageKind {
    Note, ///< an answer, or a trouble
    Order, ///< what a person ordered or took back last
    Pace, ///< whether the run goes on, as a person ordered
    News, ///< the run brought it, as the following
    Best, ///< which one is the best
    Waiting, ///< what waits for the person
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

} // namespace tilewright::ui
