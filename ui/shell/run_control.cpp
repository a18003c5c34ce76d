// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/run_control.h"

#include "ui/models/display_text.h"
#include "ui/widgets/message_bar.h"

#include <utility>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

/// "2 building, 1 measuring"; empty where nothing is under way.
QString flightWords(const EngineStatus& status)
{
    const std::pair<int, QString> stages[]
        = {{status.proposing, RunControl::tr("%1 requested")}, {status.building, RunControl::tr("%1 building")},
            {status.checking, RunControl::tr("%1 checking")}, {status.measuring, RunControl::tr("%1 measuring")}};
    QStringList all;
    for (const auto& [count, words] : stages)
        if (count > 0)
            all << words.arg(count);
    return all.join(u", "_s);
}

} // namespace

RunControl::RunControl(const ViewContext& context, UndoController& undo, MessageBar& messages, QObject* parent)
    : QObject(parent)
    , m_context(context)
    , m_undo(undo)
    , m_messages(messages)
{
    connect(&context.session, &SessionClient::replaced, this, &RunControl::forget); // it is closed, or another one
    connect(&context.session, &SessionClient::changed, this, &RunControl::follow);
    connect(&context.session, &SessionClient::failed, this, [this] {
        if (!m_isReached)
            forget(); // it may be what was refused
    });
}

bool RunControl::holds(Pace pace, const EngineStatus& status)
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

void RunControl::pause()
{
    const QString flight = flightWords(m_context.session.snapshot().status);
    order(Pace::Pause, commands::Pause{}, tr("Paused the run"), tr("The run continues."));
    const QString keys = m_context.actions[u"run.pause-cancel"_s].shortcut().toString(QKeySequence::NativeText);
    say(flight.isEmpty() ? tr("Pausing: no new work is started.")
                         : tr("Pausing after in-flight work (%1).").arg(flight),
        flight.isEmpty() ? QString() : tr("%1 cancels it instead").arg(keys));
}

void RunControl::pauseAndCancel()
{
    const QString flight = flightWords(m_context.session.snapshot().status);
    order(Pace::Pause, commands::PauseNow{}, tr("Paused the run"), tr("The run continues."));
    if (!flight.isEmpty())
        say(tr("Pausing: in-flight work (%1) is cancelled and starts again on resume.").arg(flight), {});
}

void RunControl::stop() { order(Pace::Stop, commands::Stop{}, tr("Stopped the run"), tr("The run continues.")); }

void RunControl::goOn()
{
    m_isFirst = m_context.session.snapshot().status.phase == events::Phase::Created;
    order(Pace::GoOn, commands::Run{}, m_isFirst ? tr("Started the run") : tr("Resumed the run"),
        tr("It pauses after in-flight work."));
}

void RunControl::order(Pace pace, const Command& command, const QString& description, const QString& afterUndo)
{
    forget();
    const auto undo = [this, pace] {
        forget();
        m_context.session.execute(pace == Pace::GoOn ? Command(commands::Pause{}) : commands::Run{});
    };
    const auto redo = [this, pace, command, description, afterUndo] { order(pace, command, description, afterUndo); };
    m_entry = m_undo.add({description, undo, redo, afterUndo, true});
    m_pace = pace;
    m_isReached = false;
    m_context.session.execute(command);
}

void RunControl::say(const QString& words, const QString& hint)
{
    m_message = m_messages.show(MessageMood::Info, words, hint, MessageKind::Pace);
    m_messages.offer(m_message, tr("Undo"), [this, entry = m_entry] { m_undo.undo(entry); });
}

void RunControl::forget()
{
    m_pace = Pace::None;
    m_undo.drop(std::exchange(m_entry, 0));
    m_messages.clearProposer(std::exchange(m_message, 0));
}

void RunControl::follow()
{
    const EngineStatus& status = m_context.session.snapshot().status;
    if (m_pace == Pace::None)
        return;
    if (holds(m_pace, status)) {
        if (!std::exchange(m_isReached, true))
            tell();
        return;
    }
    const bool runs = status.phase == events::Phase::Running;
    // A paused run measures something again when asked to, and pauses as it did.
    const bool isToCome = m_pace == Pace::GoOn ? !m_isReached : runs && (!m_isReached || status.pausing);
    if (!isToCome)
        forget(); // a budget is used up, or somebody else ordered otherwise
}

void RunControl::tell()
{
    const Snapshot& now = m_context.session.snapshot();
    const auto keysOf
        = [this](const QString& id) { return m_context.actions[id].shortcut().toString(QKeySequence::NativeText); };
    const QString how = tr("Run (%1) resumes it").arg(keysOf(u"run.run"_s));
    const QString flight = flightWords(now.status);
    if (m_pace == Pace::GoOn)
        return say(m_isFirst ? tr("The run started.") : tr("The run continues."),
            tr("Pause (%1) pauses it after in-flight work").arg(keysOf(u"run.pause"_s)));
    QString words = m_pace == Pace::Stop ? tr("The run is stopped.")
        : flight.isEmpty()               ? tr("The run is paused; no work is in flight.")
                                         : tr("The run is paused; still in flight: %1.").arg(flight);
    if (const auto waiting = now.run.waitingReviews; waiting > 0)
        words += u' ' + counted(waiting, tr("%1 pending review."), tr("%1 pending reviews."));
    say(words, how);
}

} // namespace tilewright::ui
