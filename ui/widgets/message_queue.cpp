// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/message_queue.h"

#include <algorithm>

namespace tilewright::ui {

quint64 MessageQueue::add(MessageMood mood, const QString& text, MessageKind kind)
{
    const auto same = std::ranges::find_if(
        m_messages, [&](const Message& each) { return each.mood == mood && each.text == text && each.kind == kind; });
    const quint64 number = same == m_messages.end() ? ++m_newest : same->number;
    remove(number);
    if (kind != MessageKind::Note && kind != MessageKind::News)
        std::erase_if(m_messages, [kind](const Message& each) { return each.kind == kind; });
    m_messages.push_front({number, mood, text, kind});
    int notes = 0;
    std::erase_if(
        m_messages, [&notes](const Message& each) { return each.mood == MessageMood::Info && ++notes > mostNotes; });
    if (m_messages.size() > most)
        m_messages.pop_back();
    return number;
}

quint64 MessageQueue::addBehind(MessageMood mood, const QString& text, MessageKind kind)
{
    const quint64 number = add(mood, text, kind);
    std::ranges::rotate(m_messages, m_messages.begin() + 1);
    return number;
}

void MessageQueue::raise(quint64 number)
{
    const auto at = std::ranges::find(m_messages, number, &Message::number);
    if (at != m_messages.end())
        std::rotate(m_messages.begin(), at, at + 1);
}

void MessageQueue::restate(quint64 number, const QString& text)
{
    for (Message& each : m_messages)
        if (each.number == number)
            each.text = text;
}

void MessageQueue::remove(quint64 number)
{
    std::erase_if(m_messages, [number](const Message& each) { return each.number == number; });
}

bool MessageQueue::has(quint64 number) const
{
    return std::ranges::any_of(m_messages, [number](const Message& each) { return each.number == number; });
}

} // namespace tilewright::ui
