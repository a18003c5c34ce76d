// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/newest_order.h"

#include "ui/widgets/message_bar.h"
#include "ui/widgets/sentence.h"

#include <QCoreApplication>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

QString tr(const char* words) { return QCoreApplication::translate("NewestOrder", words); }

} // namespace

NewestOrder::NewestOrder(const Desk& desk, SettingUndo& undo, MessageBar& messages)
    : m_desk(desk)
    , m_undo(undo)
    , m_messages(messages)
{
}

QString NewestOrder::whereTheOthersAre() const
{
    return tr("%1 lists what else can be.")
        .arg(m_desk.actions[u"run.history"_s].shortcut().toString(QKeySequence::NativeText));
}

const TakeBack* NewestOrder::newest()
{
    m_all = takeBacks(m_desk, m_undo);
    const auto own = std::ranges::find_if(m_all, [](const TakeBack& each) { return !each.isEarlier; });
    if (own == m_all.end()) {
        m_messages.show(MessageMood::Info,
            m_all.empty() ? tr("Nothing was ordered that could be taken back.")
                          : tr("Nothing was ordered since this session was opened."),
            m_all.empty() ? QString() : whereTheOthersAre());
        return nullptr;
    }
    const TakeBack& order = *own;
    if (std::pair(order.key, m_desk.session.run().lastSeq) == m_taken)
        return nullptr; // pressed twice: the run has not told of the first time yet
    if (order.why.isEmpty())
        return &order;
    m_messages.show(MessageMood::Info, asSentences(order.words, tr("It cannot be taken back: %1").arg(order.why)),
        whereTheOthersAre());
    return nullptr;
}

void NewestOrder::take(const TakeBack& order)
{
    m_taken = {order.key, m_desk.session.run().lastSeq};
    m_messages.show(MessageMood::Info, tr("Taken back: %1.").arg(order.words), whereTheOthersAre());
    std::function(order.back)(); // a copy: it may look at what can be taken back
}

void NewestOrder::takeBack()
{
    if (const TakeBack* order = newest())
        take(*order);
}

void NewestOrder::offer()
{
    const TakeBack* order = newest();
    if (!order)
        return;
    const quint64 message = m_messages.show(MessageMood::Info,
        tr("No word of yours can be taken back. What you ordered last: %1.").arg(order->words), whereTheOthersAre());
    m_messages.offer(message, tr("Take it back"), [this, key = order->key] {
        const TakeBack* now = newest();
        if (now && now->key == key)
            take(*now);
    });
}

} // namespace tilewright::ui
