// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/newest_order.h"

#include "ui/widgets/message_bar.h"
#include "ui/widgets/sentence.h"

#include <QCoreApplication>
#include <algorithm>
#include <utility>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int mostSnapshots = 30; ///< what the run does not tell by then is none that it tells
constexpr int mostWhileItIsBuilt = 6000; ///< ten a second: ten minutes

QString tr(const char* words) { return QCoreApplication::translate("NewestOrder", words); }

} // namespace

NewestOrder::NewestOrder(const Desk& desk, SettingUndo& undo, MessageBar& messages)
    : m_desk(desk)
    , m_undo(undo)
    , m_messages(messages)
{
}

void NewestOrder::say(const QString& words, const QString& hint)
{
    m_offered.reset();
    m_said = m_messages.show(MessageMood::Info, words, hint, MessageKind::Order);
}

QString NewestOrder::whereTheOthersAre() const
{
    return tr("%1 lists what else can be.")
        .arg(m_desk.actions[u"run.history"_s].shortcut().toString(QKeySequence::NativeText));
}

const TakeBack* NewestOrder::newest()
{
    m_all = takeBacksAndOver(m_desk, m_undo); // what is over bars the way once, like what is under way
    // Whoever takes back one decision after another does not mean that the run should stop or go on.
    const bool isInARow = !m_takenBack.empty() && m_opening == opening() && !wasOrderedSince();
    const auto isOwn = [isInARow](const TakeBack& each) { return !each.isEarlier && !(isInARow && each.isPace); };
    const auto own = std::ranges::find_if(m_all, isOwn);
    if (own == m_all.end()) {
        const auto pace = std::ranges::find_if(m_all, [](const TakeBack& each) { return each.isPace; });
        if (isInARow && pace != m_all.end())
            say(tr("No other decision is left to take back; %1 stays.").arg(pace->words), whereTheOthersAre());
        else
            say(m_all.empty() ? tr("Nothing was ordered that could be taken back.")
                              : tr("Nothing that was ordered since this session was opened is left to take back."),
                m_all.empty() ? QString() : whereTheOthersAre());
        return nullptr;
    }
    const auto older = std::find_if(own, m_all.end(),
        [&](const TakeBack& each) { return isOwn(each) && each.why.isEmpty() && (!each.isPace || &each == &*own); });
    if (older == m_all.end()) {
        say(asSentences(own->words, tr("It cannot be taken back: %1").arg(own->why)), whereTheOthersAre());
        return nullptr;
    }
    if (std::pair(older->key, m_desk.session.run().lastSeq) == m_taken)
        return nullptr; // pressed twice: the run has not told of the first time yet
    if (older == own || std::exchange(m_past, {opening(), own->key}) == std::pair(opening(), own->key))
        return &*older;
    tellBlocked(*own, *older);
    return nullptr;
}

void NewestOrder::tellBlocked(const TakeBack& newest, const TakeBack& older)
{
    const QString keys = m_desk.actions[u"review.undo"_s].shortcut().toString(QKeySequence::NativeText);
    say(asSentences(newest.words, tr("It cannot be taken back: %1").arg(newest.why)) + u' '
            + tr("What you ordered before it: %1.").arg(older.words),
        tr("%1 once more takes that back").arg(keys) + u"; "_s + whereTheOthersAre());
    m_messages.offer(m_said, tr("Take that back"), [this, key = older.key] { take(key); });
}

NewestOrder::Opening NewestOrder::opening() const
{
    return {m_desk.session.snapshot().status.sessionPath, m_desk.session.openedAt()};
}

void NewestOrder::take(const TakeBack& order)
{
    m_taken = {order.key, m_desk.session.run().lastSeq};
    remember({order.words, order.again, 1, order.isRecorded});
    const QString words = tr("Taken back: %1.").arg(order.words);
    say(order.then.isEmpty() ? words : words + u' ' + order.then, whereTheOthersAre());
    std::function(order.back)(); // a copy: it may look at what can be taken back
}

void NewestOrder::remember(TakenBack order)
{
    if (std::exchange(m_opening, opening()) != opening() || wasOrderedSince())
        m_takenBack.clear();
    m_takenBack.push_back(std::move(order));
    m_seq = m_desk.session.run().lastSeq;
    m_redone = 0;
}

void NewestOrder::awaitNext()
{
    m_awaited = Awaited{m_desk.session.run().lastSeq, mostSnapshots, Time::First, opening()};
}

void NewestOrder::awaitBuilt()
{
    m_awaited = Awaited{m_desk.session.run().lastSeq, mostWhileItIsBuilt, Time::First, opening()};
}

bool NewestOrder::isUnderWay(const TakeBack& order) const
{
    const std::vector<CandidateId>* all
        = order.waitAgain.empty() ? nullptr : m_desk.session.wordWith(order.waitAgain.front());
    const RunState& run = m_desk.session.run();
    return all && std::ranges::any_of(*all, [&run](CandidateId each) {
        const Candidate* candidate = run.candidate(each);
        const Review* review = candidate ? run.review(candidate->review) : nullptr;
        return review && !review->undone && review->decision == Decision::Waiting;
    });
}

void NewestOrder::tellNext()
{
    forgetWhatIsOfAnother();
    seeWhetherItStands();
    if (!m_awaited)
        return;
    const std::vector<TakeBack> all = takeBacks(m_desk, m_undo);
    const auto isIt = [this](const TakeBack& each) { return each.seq > m_awaited->seq && !each.isEarlier; };
    auto next = std::find_if(
        all.rbegin(), all.rend(), [&isIt](const TakeBack& each) { return isIt(each) && each.why.isEmpty(); });
    if (next == all.rend()) // what is under way by now was ordered all the same
        next = std::find_if(all.rbegin(), all.rend(), isIt);
    const bool isThere = next != all.rend();
    if ((!isThere || isUnderWay(*next)) && --m_awaited->snapshots > 0)
        return;
    const Time time = m_awaited->time;
    m_awaited.reset();
    if (!isThere)
        return;
    const QString words = time == Time::OnceMore ? tr("Ordered once more: %1.").arg(next->words)
        : next->done.isEmpty()                   ? tr("Done: %1.").arg(next->words)
                                                 : next->done + u'.';
    const QString whole = next->now.isEmpty() ? words : words + u' ' + next->now;
    if (time == Time::OnceMore && m_messages.has(m_said)) {
        m_offered.reset();
        m_messages.restate(m_said, whole, {}); // it was said when it was ordered
    } else {
        say(whole, {});
    }
    if (!next->why.isEmpty())
        return;
    m_messages.offer(m_said, tr("Undo"), [this, key = next->key] { take(key); });
    m_offered = Offered{next->key, next->words, next->seq, m_desk.session.run().changes.size(), opening()};
}

void NewestOrder::forgetWhatIsOfAnother()
{
    if (m_awaited && m_awaited->opening != opening())
        m_awaited.reset();
    if (!m_offered || m_offered->opening == opening())
        return;
    m_offered.reset();
    m_messages.dismiss(m_said);
}

void NewestOrder::seeWhetherItStands()
{
    const std::size_t changes = m_desk.session.run().changes.size();
    if (!m_offered || std::exchange(m_offered->changes, changes) == changes || !m_messages.has(m_said))
        return;
    const std::vector<TakeBack> all = takeBacks(m_desk, m_undo);
    const auto now = std::ranges::find(all, m_offered->key, &TakeBack::key);
    if (now != all.end() && now->seq == m_offered->seq)
        return;
    const Offered gone = *m_offered;
    if (changes > 0 && m_desk.session.run().changes[changes - 1].takesBack)
        say(tr("Taken back: %1.").arg(gone.words), {});
    else
        m_messages.dismiss(m_said);
}

/// It may have gone meanwhile: that is said.
void NewestOrder::take(const QString& key)
{
    const std::vector<TakeBack> all = takeBacks(m_desk, m_undo);
    const auto now = std::ranges::find(all, key, &TakeBack::key);
    if (now == all.end())
        say(tr("It cannot be taken back any more: it was carried out, or taken back already."), whereTheOthersAre());
    else if (!now->why.isEmpty())
        say(asSentences(now->words, tr("It cannot be taken back: %1").arg(now->why)), whereTheOthersAre());
    else
        take(*now);
}

void NewestOrder::tellTakenBack(const QStringList& keys)
{
    std::vector<TakeBack> all = takeBacks(m_desk, m_undo);
    std::erase_if(all, [&keys](const TakeBack& each) { return !keys.contains(each.key); });
    if (all.empty())
        return;
    QStringList words, then;
    std::vector<std::function<void()>> again;
    for (const TakeBack& each : all) {
        words << each.words;
        if (!each.then.isEmpty())
            then << each.then;
        again.push_back(each.again);
    }
    TakenBack order{words.join(u"; "_s), {}, all.size()};
    if (std::ranges::all_of(again, [](const auto& each) { return bool(each); }))
        order.again = [again] {
            for (const auto& each : again)
                each();
        };
    say((QStringList(tr("Taken back: %1.").arg(order.words)) + then).join(u' '), {});
    remember(std::move(order));
}

void NewestOrder::takeBackSetting()
{
    if (const QString why = m_undo.whyNotNow(); !why.isEmpty()) {
        say(tr("The review policy cannot be taken back by a key: %1.").arg(why), whereTheOthersAre());
        return;
    }
    const std::vector<SettingUndo::Entry> all = m_undo.entries();
    const auto newest = std::ranges::find_if(
        all, [](const SettingUndo::Entry& each) { return each.number > 0 && each.why.isEmpty(); });
    if (newest == all.end())
        return;
    remember({newest->words, m_undo.again(newest->number), 1, !newest->isKept});
    const QString words = tr("Taken back: %1.").arg(newest->words);
    say(newest->then.isEmpty() ? words : words + u' ' + newest->then, whereTheOthersAre());
    m_undo.undo();
}

bool NewestOrder::wasOrderedSince() const
{
    const auto since = std::ranges::count_if(
        takeBacks(m_desk, m_undo), [this](const TakeBack& each) { return each.seq > m_seq && !each.isEarlier; });
    return static_cast<std::size_t>(since) > m_redone;
}

void NewestOrder::redo()
{
    const bool isOver = m_opening != opening() || wasOrderedSince();
    if (isOver)
        m_takenBack.clear();
    if (m_takenBack.empty()) {
        say(tr("Nothing was taken back since the last order."), whereTheOthersAre());
        return;
    }
    const TakenBack order = std::move(m_takenBack.back());
    m_takenBack.pop_back();
    if (!order.again) {
        say(tr("It was taken back: %1. It cannot be ordered once more by a key: order it anew.").arg(order.words), {});
        return;
    }
    say(tr("Ordered once more: %1.").arg(order.words), {});
    const bool wasTold = std::exchange(m_seq, m_desk.session.run().lastSeq) != m_desk.session.run().lastSeq;
    m_redone = order.orders + (wasTold ? 0 : m_redone); // of the one before the run has not told yet
    if (order.orders == 1 && order.isRecorded) // once the run tells of it, it can be taken back as before
        m_awaited = Awaited{m_seq, mostWhileItIsBuilt, Time::OnceMore, opening()}; // an edit is built first
    order.again();
}

std::vector<CandidateId> NewestOrder::takeBack()
{
    const TakeBack* order = newest();
    if (!order)
        return {};
    const std::vector<CandidateId> waitAgain = order->waitAgain;
    take(*order);
    return waitAgain;
}

} // namespace tilewright::ui
