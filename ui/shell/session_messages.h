// SPDX-License-Identifier: GPL-3.0-or-later
// What the window says of the session that is open: trouble, what was recovered, another machine's device, edits that
// only wait for a word, texts that were begun. Each message ends with what it is about. GUI thread.
#pragma once

#include "core/model/run_state.h"
#include "ui/session/drafts.h"
#include "ui/session/session_client.h"
#include "ui/widgets/message_bar.h"

#include <QObject>
#include <QStringList>
#include <QTimer>
#include <functional>
#include <map>
#include <set>

namespace tilewright::ui {

class LockWatch;

class SessionMessages : public QObject
{
    Q_OBJECT

public:
    enum class Review { Seen, Hidden };

    SessionMessages(const SessionClient& session, const Drafts& drafts, MessageBar& bar, QObject* parent);
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
    /// The user wants to write a session that another program has let go of.
    void takeOverWanted(const QString& path);
    /// The user wants to see what waits for a word.
    void reviewWanted();
    /// The user wants the programs of the open session measured on this machine.
    void replayWanted();

private:
    void tellTrouble(const EngineStatus& status);
    void tellRecovery(const EngineStatus& status);
    /// That the session was measured elsewhere, and what can be done with it here.
    void tellWhereItWasMeasured();
    /// That the run, or some of its islands, only wait for the user, and for how many of their words.
    void tellWhatWaits(Review review);
    void offerFreed(const QString& path);

    const SessionClient& m_session;
    const Drafts& m_drafts;
    MessageBar& m_bar;
    LockWatch* m_lock; ///< of a session that another program writes
    std::map<std::string, quint64> m_failures; ///< messages of failures that were told, by their text
    std::string m_trouble, m_recovery, m_waiting, m_elsewhere; ///< that were told
    quint64 m_troubleMessage = 0, m_waitingMessage = 0, m_elsewhereMessage = 0, m_recoveryMessage = 0,
            m_keptMessage = 0; ///< 0: not said yet
};

// What a user had begun in a session and not saved, in words. GUI thread.

/// "your edit of c-0012 (Review)", …; what has become of no use is left out.
QStringList keptWork(const Drafts& drafts, const RunState& run);
/// One of these, whatever has become of what it belongs to.
QString wordsOfDraft(const QString& place, const RunState& run);

// Notices that the program that writes a session, which is only shown here meanwhile, has let go of it. GUI thread; the
// file is looked at on a pool thread.

class LockWatch : public QObject
{
    Q_OBJECT

public:
    explicit LockWatch(QObject* parent = nullptr);
    /// From here on that file, "" for none.
    void watch(const QString& path);

Q_SIGNALS:
    /// Once, and the watch is over.
    void freed(const QString& path);

private:
    void look();

    QTimer m_pause; ///< between two looks
    QString m_path;
};

// What the run brings while somebody may look elsewhere: that a candidate was measured again, with what came out, what
// became of a version that the user wrote, and that another one is the best. Of several bests only the newest is in
// sight; the page of all that was said has the others. GUI thread.

class MessageBar;

class RunNews : public QObject
{
    Q_OBJECT

public:
    /// isRead: whether the user has the runs of that candidate before them.
    RunNews(const SessionClient& session, MessageBar& bar, std::function<bool(CandidateId)> isRead, QObject* parent);
    /// After each snapshot.
    void follow();
    /// Another session is open: what it holds already is no news.
    void startAnew() { m_isKnown = false; }

Q_SIGNALS:
    void runsWanted(tilewright::CandidateId candidate);
    /// It is to be measured again beside the program that it was first measured against.
    void pairedRerunWanted(tilewright::CandidateId candidate);
    void candidateWanted(tilewright::CandidateId candidate);

private:
    void tellRerun(const Rerun& rerun);
    void tellOwn(const Candidate& written);
    void tellBest();

    const SessionClient& m_session;
    MessageBar& m_bar;
    std::function<bool(CandidateId)> m_isRead;
    bool m_isKnown = false;
    std::set<RerunId> m_open; ///< re-runs that had no result yet
    std::size_t m_reruns = 0; ///< that were known
    std::set<CandidateId> m_own; ///< versions of the user's that are on the way
    std::size_t m_candidates = 0; ///< that were known
    std::size_t m_bests = 0; ///< that were proven
};

} // namespace tilewright::ui
