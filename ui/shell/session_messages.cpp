// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/session_messages.h"

#include "core/model/review_queue.h"
#include "ui/models/format.h"
#include "ui/models/wait_words.h"
#include "ui/shell/action_states.h"
#include "ui/shell/kept_work.h"
#include "ui/shell/lock_watch.h"
#include "ui/widgets/sentence.h"

#include <utility>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

SessionMessages::SessionMessages(const Session& session, const Drafts& drafts, MessageBar& bar, QObject* parent)
    : QObject(parent)
    , m_session(session)
    , m_drafts(drafts)
    , m_bar(bar)
    , m_lock(new LockWatch(this))
{
    connect(m_lock, &LockWatch::freed, this, &SessionMessages::offerFreed);
}

void SessionMessages::follow(Review review)
{
    const EngineStatus& status = m_session.snapshot().status;
    tellTrouble(status);
    tellRecovery(status);
    tellWhereItWasMeasured();
    tellWhatWaits(review);
    if (m_bar.has(m_keptMessage) && keptWork(m_drafts, m_session.run()).isEmpty())
        m_bar.dismiss(m_keptMessage); // it was saved, or dropped
}

void SessionMessages::reviewShown() { m_bar.dismiss(m_waitingMessage); }

void SessionMessages::startAnew()
{
    m_trouble.clear();
    m_elsewhere.clear();
    m_recovery.clear();
    m_waiting.clear();
}

void SessionMessages::tellFailure(const QString& text, const QString& hint)
{
    m_failures[text.toStdString()] = m_bar.show(MessageBar::Mood::Error, text, hint);
}

namespace {

/// A run that rests tries nothing again: that the machine was too busy is over with it, until it goes on.
std::string troubleNow(const EngineStatus& status)
{
    const bool rests = status.troubleCode == "machine/busy" && status.phase != events::Phase::Running;
    return rests ? std::string() : status.trouble;
}

} // namespace

void SessionMessages::tellTrouble(const EngineStatus& status)
{
    const std::string trouble = troubleNow(status);
    if (trouble != m_trouble) {
        if (const auto told = m_failures.find(m_trouble); told != m_failures.end()) {
            m_bar.dismiss(told->second); // it was told when it came, and is over
            m_failures.erase(told);
        }
        m_trouble = trouble;
        m_bar.dismiss(m_troubleMessage);
        const bool isLocked = status.readOnly && status.troubleCode == "session/locked";
        m_lock->watch(isLocked ? text(status.sessionPath) : QString());
        if (isLocked)
            m_troubleMessage = m_bar.show(MessageBar::Mood::Warning, text(trouble),
                tr("it is shown as it was when it was opened, and cannot be changed from here; close it there to go "
                   "on"));
        else if (!trouble.empty() && trouble != status.elsewhere)
            m_troubleMessage = m_bar.show(MessageBar::Mood::Warning, text(trouble), text(status.troubleHint));
    }
    if (status.troubleCode == "machine/busy" && status.waitingCode == status.troubleCode)
        m_bar.restate(m_troubleMessage, asSentence(text(status.waiting)), text(status.troubleHint)); // each try
}

/// It is not taken without a word: the other program may be one of several that write it in turn.
void SessionMessages::offerFreed(const QString& path)
{
    m_bar.dismiss(m_troubleMessage);
    m_troubleMessage = m_bar.show(MessageBar::Mood::Info, tr("The other program has closed this session."),
        tr("it is shown as it was when it was opened here"));
    m_bar.offer(m_troubleMessage, tr("Take it over"), [this, path] { Q_EMIT takeOverWanted(path); });
}

void SessionMessages::tellRecovery(const EngineStatus& status)
{
    if (status.phase == events::Phase::Running && !status.readOnly)
        m_bar.dismiss(std::exchange(m_recoveryMessage, 0)); // it goes on
    if (status.recovered == m_recovery)
        return;
    m_recovery = status.recovered;
    if (!status.recovered.empty())
        m_recoveryMessage = m_bar.show(MessageBar::Mood::Info, text(status.recovered), {});
}

void SessionMessages::tellWhereItWasMeasured()
{
    const Snapshot& snapshot = m_session.snapshot();
    const std::string& elsewhere = snapshot.status.elsewhere;
    if (elsewhere == m_elsewhere)
        return;
    m_elsewhere = elsewhere;
    m_bar.dismiss(m_elsewhereMessage);
    if (elsewhere.empty() || !snapshot.pack)
        return;
    const bool canReplay = canReplayHere(snapshot);
    m_elsewhereMessage = m_bar.show(MessageBar::Mood::Info, asSentence(text(elsewhere)),
        canReplay ? tr("its programs can be measured anew here, in a session of their own")
                  : tr("everything in it can be looked at and exported"));
    if (canReplay)
        m_bar.offer(m_elsewhereMessage, tr("Replay it here…"), [this] { Q_EMIT replayWanted(); });
}

namespace {

/// Islands that wait for the person while others go on.
struct Stalled {
    QString letters; ///< "B", "A, C"
    std::int64_t waiting = 0; ///< of their candidates
};

Stalled someThatWait(const Snapshot& snapshot)
{
    const EngineStatus& status = snapshot.status;
    QStringList letters;
    Stalled some;
    if (status.phase == events::Phase::Running && !status.pausing && !status.readOnly)
        for (const IslandId island : islandsThatWait(snapshot.run)) {
            letters << text(islandLetter(island));
            some.waiting += waitingOn(snapshot.run, island);
        }
    some.letters = letters.join(u", "_s);
    return some;
}

} // namespace

void SessionMessages::tellWhatWaits(Review review)
{
    const Snapshot& snapshot = m_session.snapshot();
    const bool isAll = snapshot.status.waitingCode == "reviews";
    const Stalled some = isAll ? Stalled{} : someThatWait(snapshot);
    const std::string waiting = isAll ? "all" : some.letters.isEmpty() ? "" : "some";
    const bool isNew = std::exchange(m_waiting, waiting) != waiting;
    if (waiting.empty() || snapshot.run.waitingReviews == 0 || review == Review::Seen)
        return m_bar.dismiss(m_waitingMessage);
    // Some are decided, and islands go on; or there is an end to it.
    const std::int64_t all = snapshot.run.waitingReviews;
    const QString count = counted(
        isAll ? all : some.waiting, tr("%1 candidate waits for your word"), tr("%1 candidates wait for your word"));
    const QString words = !isAll
        ? (some.letters.contains(u',') ? tr("Islands %1 go on only once you decide: %2 in Review.")
                                       : tr("Island %1 goes on only once you decide: %2 in Review."))
              .arg(some.letters,
                  some.waiting == all ? count : tr("%1 (%2 with those of other islands)").arg(count).arg(all))
        : everyIslandWaits(snapshot.run) ? tr("No island goes on before you decide: %1 in Review.").arg(count)
                                         : tr("Nothing else is left to do: %1 in Review.").arg(count);
    const QString hint = tr("“%1”, beside the budgets, approves all, or lets edits be measured without asking")
                             .arg(waitsForYou(snapshot.run.waitingReviews));
    if (!isNew) // one that was put away does not come back for a smaller number
        return m_bar.restate(m_waitingMessage, words, hint);
    m_waitingMessage = m_bar.show(MessageBar::Mood::Info, words, hint, MessageKind::Waiting);
    m_bar.offer(m_waitingMessage, tr("Show them"), [this] { Q_EMIT reviewWanted(); });
}

void SessionMessages::tellWhatIsKept()
{
    const QStringList kept = keptWork(m_drafts, m_session.run());
    if (!kept.isEmpty())
        m_keptMessage = m_bar.show(MessageBar::Mood::Info,
            tr("What you had begun in this session is still there, not saved: %1.").arg(kept.join(u", "_s)), {});
}

} // namespace tilewright::ui
