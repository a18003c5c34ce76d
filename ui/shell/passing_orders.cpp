// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/passing_orders.h"

#include "ui/models/format.h"
#include "ui/session/setting_undo.h"
#include "ui/shell/take_back.h"
#include "ui/widgets/message_bar.h"

#include <QScopedValueRollback>
#include <utility>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

/// "2 building, 1 measuring"; empty where nothing is under way.
QString flightWords(const EngineStatus& status)
{
    const std::pair<int, QString> stages[]
        = {{status.proposing, PassingOrders::tr("%1 asked for")}, {status.building, PassingOrders::tr("%1 building")},
            {status.checking, PassingOrders::tr("%1 checking")}, {status.measuring, PassingOrders::tr("%1 measuring")}};
    QStringList all;
    for (const auto& [count, words] : stages)
        if (count > 0)
            all << words.arg(count);
    return all.join(u", "_s);
}

} // namespace

PassingOrders::PassingOrders(const Desk& desk, SettingUndo& undo, MessageBar& messages,
    std::function<void(const QString& key)> takeBack, QObject* parent)
    : QObject(parent)
    , m_desk(desk)
    , m_undo(undo)
    , m_messages(messages)
    , m_takeBack(std::move(takeBack))
{
    connect(&desk.session, &Session::replaced, this, &PassingOrders::forget); // it is closed, or another one
    connect(&desk.session, &Session::changed, this, &PassingOrders::follow);
    connect(&desk.session.door(), &EngineDoor::failed, this, [this] {
        if (!m_isReached)
            forget(); // it may be what was refused
    });
    connect(&desk.selection, &SelectionContext::referenceChanged, this, &PassingOrders::tellReference);
}

bool PassingOrders::holds(Pace pace, const EngineStatus& status)
{
    switch (pace) {
    case Pace::Pause:
        return status.phase == events::Phase::Paused;
    case Pace::Stop:
        return status.phase == events::Phase::Stopped;
    case Pace::GoOn:
        return status.phase == events::Phase::Running && !status.pausing;
    case Pace::None:
        break;
    }
    return false;
}

void PassingOrders::pause()
{
    order(Pace::Pause, tr("the pause of the run"), tr("The run goes on."), [this] { pause(); });
    const QString flight = flightWords(m_desk.session.snapshot().status);
    const QString keys = m_desk.actions[u"run.pause-cancel"_s].shortcut().toString(QKeySequence::NativeText);
    say(flight.isEmpty()
            ? tr("Pausing: nothing else is begun.")
            : tr("Pausing: the steps under way (%1) are finished first, nothing else is begun.").arg(flight),
        flight.isEmpty() ? QString() : tr("%1 cancels it instead").arg(keys));
    m_desk.session.door().pause();
}

void PassingOrders::pauseAndCancel()
{
    order(Pace::Pause, tr("the pause of the run"), tr("The run goes on."), [this] { pauseAndCancel(); });
    const QString flight = flightWords(m_desk.session.snapshot().status);
    if (!flight.isEmpty())
        say(tr("Pausing: what is under way (%1) is cancelled, and waits for its turn as before.").arg(flight), {});
    m_desk.session.door().pauseAndCancel();
}

void PassingOrders::stop()
{
    order(Pace::Stop, tr("stopping the run"), tr("The run goes on."), [this] { stop(); });
    m_desk.session.door().stop();
}

void PassingOrders::goOn()
{
    m_isFirst = m_desk.session.snapshot().status.phase == events::Phase::Created;
    order(Pace::GoOn, m_isFirst ? tr("the start of the run") : tr("going on with the run"),
        tr("It pauses once what is under way is finished."), [this] { goOn(); });
    m_desk.session.door().run();
}

/// In place of the one before: what that did is over.
void PassingOrders::order(Pace pace, const QString& words, const QString& then, std::function<void()> again)
{
    forget();
    const auto back = [this, pace] {
        forget();
        if (pace == Pace::GoOn)
            m_desk.session.door().pause();
        else
            m_desk.session.door().run();
    };
    m_step = m_undo.add(SettingUndo::Passing{words, back, std::move(again), then, true});
    m_pace = pace;
    m_isReached = false;
}

void PassingOrders::say(const QString& words, const QString& hint)
{
    m_message = m_messages.show(MessageMood::Info, words, hint, MessageKind::Pace);
    m_messages.offer(m_message, tr("Undo"), [this, key = keyOfSetting(m_step)] { m_takeBack(key); });
}

void PassingOrders::forget()
{
    m_pace = Pace::None;
    m_undo.drop(std::exchange(m_step, 0));
    m_messages.dismiss(std::exchange(m_message, 0));
}

void PassingOrders::follow()
{
    const EngineStatus& status = m_desk.session.snapshot().status;
    if (m_pace == Pace::None)
        return;
    if (holds(m_pace, status)) {
        if (!std::exchange(m_isReached, true))
            tellPace();
        return;
    }
    const bool runs = status.phase == events::Phase::Running;
    // A paused run measures something again when asked to, and pauses as it did.
    const bool isToCome = m_pace == Pace::GoOn ? !m_isReached : runs && (!m_isReached || status.pausing);
    if (!isToCome)
        forget(); // a budget is used up, or somebody else ordered otherwise
}

void PassingOrders::tellPace()
{
    const Snapshot& now = m_desk.session.snapshot();
    const auto keysOf
        = [this](const QString& id) { return m_desk.actions[id].shortcut().toString(QKeySequence::NativeText); };
    const QString how = tr("Run (%1) goes on").arg(keysOf(u"run.run"_s));
    const QString flight = flightWords(now.status);
    if (m_pace == Pace::GoOn)
        return say(m_isFirst ? tr("The run has begun.") : tr("The run goes on."),
            tr("Pause (%1) lets what is under way be finished").arg(keysOf(u"run.pause"_s)));
    QString words = m_pace == Pace::Stop ? tr("The run is stopped.")
        : flight.isEmpty()               ? tr("The run is paused, and nothing is under way.")
                                         : tr("The run is paused; still under way: %1.").arg(flight);
    if (const auto waiting = now.run.waitingReviews; waiting > 0)
        words += u' ' + counted(waiting, tr("%1 edit waits for your word."), tr("%1 edits wait for your word."));
    say(words, how);
}

void PassingOrders::tellReference(CandidateId now)
{
    const CandidateId before = std::exchange(m_reference, now);
    // Of a session that is left, nobody ordered it.
    if (m_isTakingBack || !m_desk.selection.isPersons())
        return;
    const QString then = before ? tr("The reference is %1 again.").arg(nameOfCandidate(before))
                                : tr("Each is compared with its parent again.");
    const QString words = now ? tr("the choice of %1 as the reference").arg(nameOfCandidate(now))
                              : tr("letting go of the reference %1").arg(nameOfCandidate(before));
    const auto back = [this, before] {
        const QScopedValueRollback takingBack(m_isTakingBack, true);
        compareWith(before);
    };
    const quint64 step = m_undo.add(SettingUndo::Passing{words, back, [this, now] { compareWith(now); }, then});
    const QString keys = m_desk.actions[u"candidate.reference"_s].shortcut().toString(QKeySequence::NativeText);
    const quint64 message = m_messages.show(MessageMood::Info,
        now ? tr("%1 is the reference: the code of others is compared with it.").arg(nameOfCandidate(now))
            : tr("There is no reference any more: each is compared with its parent."),
        now ? tr("%1 on it once more lets go of it").arg(keys) : QString(), MessageKind::Order);
    m_messages.offer(message, tr("Undo"), [this, key = keyOfSetting(step)] { m_takeBack(key); });
}

void PassingOrders::compareWith(CandidateId candidate)
{
    if (m_desk.selection.reference() != candidate) // the same once more would let go of it
        m_desk.selection.setReference(candidate);
}

} // namespace tilewright::ui
