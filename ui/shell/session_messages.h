// SPDX-License-Identifier: GPL-3.0-or-later
// What the window says of the session that is open: trouble, what was recovered, another machine's device, edits that
// only wait for a word, texts that were begun. Each message ends with what it is about. GUI thread.
#pragma once

#include "ui/session/drafts.h"
#include "ui/widgets/message_bar.h"

#include <QObject>
#include <map>

namespace tilewright::ui {

class LockWatch;

class SessionMessages : public QObject
{
    Q_OBJECT

public:
    enum class Review { Seen, Hidden };

    SessionMessages(const Session& session, const Drafts& drafts, MessageBar& bar, QObject* parent);
    /// After each snapshot; on the Review screen stands what waits for a word already.
    void follow(Review review);
    void reviewShown();
    /// Another session is open: nothing was said of it yet.
    void startAnew();
    /// Told when it came; the message ends with the trouble of that name.
    void tellFailure(const QString& text, const QString& hint);
    /// What was begun in this session and not saved, if anything was.
    void tellWhatIsKept();

Q_SIGNALS:
    /// The person wants to write a session that another program has let go of.
    void takeOverWanted(const QString& path);
    /// The person wants to see what waits for a word.
    void reviewWanted();
    /// The person wants the programs of the open session measured on this machine.
    void replayWanted();

private:
    void tellTrouble(const EngineStatus& status);
    void tellRecovery(const EngineStatus& status);
    /// That the session was measured elsewhere, and what can be done with it here.
    void tellWhereItWasMeasured();
    /// That the run, or some of its islands, only wait for the person, and for how many of their words.
    void tellWhatWaits(Review review);
    void offerFreed(const QString& path);

    const Session& m_session;
    const Drafts& m_drafts;
    MessageBar& m_bar;
    LockWatch* m_lock; ///< of a session that another program writes
    std::map<std::string, quint64> m_failures; ///< messages of failures that were told, by their text
    std::string m_trouble, m_recovery, m_waiting, m_elsewhere; ///< that were told
    quint64 m_troubleMessage = 0, m_waitingMessage = 0, m_elsewhereMessage = 0, m_recoveryMessage = 0,
            m_keptMessage = 0; ///< 0: not said yet
};

} // namespace tilewright::ui
