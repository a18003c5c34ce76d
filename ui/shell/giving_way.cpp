// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/giving_way.h"

#include "ui/models/format.h"
#include "ui/session/session.h"
#include "ui/shell/session_files.h"
#include "ui/welcome/new_session_page.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/sentence.h"

#include <QFileInfo>
#include <utility>

namespace tilewright::ui {

GivingWay::GivingWay(
    SessionFiles& files, Session& session, MessageBar& messages, NewSessionPage& welcome, QObject* parent)
    : QObject(parent)
    , m_files(files)
    , m_session(session)
    , m_messages(messages)
    , m_welcome(welcome)
{
    connect(&files, &SessionFiles::wouldPause, this, &GivingWay::ask);
    connect(&session, &Session::changed, this, &GivingWay::seeWhetherItRuns);
    connect(&files, &SessionFiles::runLeft, this, [this](const QString& path) { m_left = path; });
}

void GivingWay::ask(const QString& going, const QString& other)
{
    m_messages.dismiss(m_question); // of an earlier wish
    m_other = other;
    const QString words = tr("%1 is running. It is paused if %2 takes its place.")
                              .arg(QFileInfo(going).fileName(), QFileInfo(other).fileName());
    const QString hint = tr("nothing is lost: what is under way is begun again when the run is resumed");
    const auto leave = [this] { m_files.leaveRun(); };
    if (m_welcome.askBeforeStart(other, asSentences(words, hint), tr("Pause it and start"), leave)
        || m_welcome.askBeforeOpening(asSentences(words, hint), tr("Pause it and open"), leave))
        return;
    m_question = m_messages.show(MessageBar::Mood::Warning, words, hint);
    m_messages.offer(m_question, tr("Pause it and open the other"), leave);
    m_messages.takeFocus();
}

/// What was asked of a run that is going is no question any more once it rests or is closed; where it rests, what was
/// wanted is offered still.
void GivingWay::seeWhetherItRuns()
{
    if (m_session.isOpen() && m_session.snapshot().status.phase == events::Phase::Running)
        return;
    m_welcome.putQuestionsAway();
    if (!m_question)
        return;
    m_messages.dismiss(std::exchange(m_question, 0));
    if (!m_session.isOpen())
        return;
    const quint64 offer = m_messages.show(MessageBar::Mood::Info, tr("The run rests, and gives way to another."), {});
    m_messages.offer(offer, tr("Open %1").arg(QFileInfo(m_other).fileName()), [this] { m_files.leaveRun(); });
}

void GivingWay::offerBack()
{
    const QString path = std::exchange(m_left, {});
    if (path.isEmpty() || (m_session.isOpen() && text(m_session.snapshot().status.sessionPath) == path))
        return;
    const quint64 message = m_messages.show(
        MessageBar::Mood::Info, tr("%1 was running and is paused now.").arg(QFileInfo(path).fileName()), {});
    m_messages.offer(message, tr("Resume it"), [this, path] { m_files.open(path, SessionFiles::Then::Run); });
}

} // namespace tilewright::ui
