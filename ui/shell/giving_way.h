// SPDX-License-Identifier: GPL-3.0-or-later
// A run that is going gives way to another session: the person is asked whether it may be paused, beside the menus or,
// where a session is started or opened on the page Welcome, beside what does so there; and once it is, resuming it is
// one click. Nothing is lost either way, so nothing blocks. GUI thread; owned by the window.
#pragma once

#include <QObject>

namespace tilewright::ui {

class MessageBar;
class NewSessionPage;
class Session;
class SessionFiles;

class GivingWay : public QObject
{
    Q_OBJECT

public:
    GivingWay(SessionFiles& files, Session& session, MessageBar& messages, NewSessionPage& welcome, QObject* parent);
    /// Says once that the run was paused, and offers to resume it; nothing where none was.
    void offerBack();

private:
    void ask(const QString& going, const QString& other);
    void seeWhetherItRuns();

    SessionFiles& m_files;
    Session& m_session;
    MessageBar& m_messages;
    NewSessionPage& m_welcome;
    quint64 m_question = 0; ///< its message
    QString m_left; ///< the file of the run that was paused; empty: it was told, or there was none
    QString m_other; ///< what was wanted in the place of the run
};

} // namespace tilewright::ui
