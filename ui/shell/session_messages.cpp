// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/session_messages.h"

#include "core/model/reviews/handwritten.h"
#include "core/model/reviews/review_queue.h"
#include "core/store/session_lock.h"
#include "ui/models/activity_words.h"
#include "ui/models/best_words.h"
#include "ui/models/display_text.h"
#include "ui/models/rule_words.h"
#include "ui/models/score_words.h"
#include "ui/shell/actions.h"
#include "ui/widgets/aside.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/message_bar.h"

#include <chrono>
#include <utility>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

SessionMessages::SessionMessages(const SessionClient& session, const Drafts& drafts, MessageBar& bar, QObject* parent)
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
        m_bar.clearProposer(m_keptMessage); // it was saved, or dropped
}

void SessionMessages::reviewShown() { m_bar.clearProposer(m_waitingMessage); }

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
            m_bar.clearProposer(told->second); // it was told when it came, and is over
            m_failures.erase(told);
        }
        m_trouble = trouble;
        m_bar.clearProposer(m_troubleMessage);
        const bool isLocked = status.readOnly && status.troubleCode == "session/locked";
        m_lock->watch(isLocked ? text(status.sessionPath) : QString());
        if (isLocked)
            m_troubleMessage = m_bar.show(MessageBar::Mood::Warning, text(trouble),
                tr("it is shown as of when it was opened, and is read-only here; close it in the other program to "
                   "continue"));
        else if (!trouble.empty() && trouble != status.elsewhere)
            m_troubleMessage = m_bar.show(MessageBar::Mood::Warning, text(trouble), text(status.troubleHint));
    }
    if (status.troubleCode == "machine/busy" && status.waitingCode == status.troubleCode)
        m_bar.restate(m_troubleMessage, asSentence(text(status.waiting)), text(status.troubleHint)); // each try
}

/// It is not taken without a word: the other program may be one of several that write it in turn.
void SessionMessages::offerFreed(const QString& path)
{
    m_bar.clearProposer(m_troubleMessage);
    m_troubleMessage = m_bar.show(MessageBar::Mood::Info, tr("The other program has closed this session."),
        tr("it is shown as of when it was opened here"));
    m_bar.offer(m_troubleMessage, tr("Open for writing"), [this, path] { Q_EMIT takeOverWanted(path); });
}

void SessionMessages::tellRecovery(const EngineStatus& status)
{
    if (status.phase == events::Phase::Running && !status.readOnly)
        m_bar.clearProposer(std::exchange(m_recoveryMessage, 0)); // it goes on
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
    m_bar.clearProposer(m_elsewhereMessage);
    if (elsewhere.empty() || !snapshot.pack)
        return;
    const bool canReplay = canReplayHere(snapshot);
    m_elsewhereMessage = m_bar.show(MessageBar::Mood::Info, asSentence(text(elsewhere)),
        canReplay ? tr("its programs can be measured here, in a new session") : tr("it can be viewed and exported"));
    if (canReplay)
        m_bar.offer(m_elsewhereMessage, tr("Replay it here…"), [this] { Q_EMIT replayWanted(); });
}

namespace {

/// Islands that wait for the user while others go on.
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
        return m_bar.clearProposer(m_waitingMessage);
    // Some are decided, and islands go on; or there is an end to it.
    const std::int64_t all = snapshot.run.waitingReviews;
    const QString count = counted(isAll ? all : some.waiting, tr("%1 pending review"), tr("%1 pending reviews"));
    const QString words = !isAll
        ? (some.letters.contains(u',') ? tr("Islands %1 are blocked: %2.") : tr("Island %1 is blocked: %2."))
              .arg(some.letters, some.waiting == all ? count : tr("%1 (%2 on all islands)").arg(count).arg(all))
        : everyIslandWaits(snapshot.run) ? tr("All islands are blocked: %1.").arg(count)
                                         : tr("The run is blocked: %1.").arg(count);
    const QString hint = tr("“%1”, beside the budgets, approves all, or lets edits be measured without review")
                             .arg(waitsForYou(snapshot.run.waitingReviews));
    if (!isNew) // one that was put away does not come back for a smaller number
        return m_bar.restate(m_waitingMessage, words, hint);
    m_waitingMessage = m_bar.show(MessageBar::Mood::Info, words, hint, MessageKind::Waiting);
    m_bar.offer(m_waitingMessage, tr("Show reviews"), [this] { Q_EMIT reviewWanted(); });
}

void SessionMessages::tellWhatIsKept()
{
    const QStringList kept = keptWork(m_drafts, m_session.run());
    if (!kept.isEmpty())
        m_keptMessage = m_bar.show(
            MessageBar::Mood::Info, tr("Unsaved texts of this session were restored: %1.").arg(kept.join(u", "_s)), {});
}

namespace {

struct Draft {
    QString kind, name;
    const Candidate* candidate;
};

Draft draftAt(const QString& place, const RunState& run)
{
    const QString name = place.section(u'/', 1, 1);
    return {place.section(u'/', 0, 0), name, run.candidate(candidateFromName(name.toStdString()))};
}

/// Whether the text can still be given to the engine.
bool isOfUse(const Draft& draft, const RunState& run)
{
    const Review* review = draft.candidate ? run.review(draft.candidate->review) : nullptr;
    if (draft.kind == u"edit"_s || draft.kind == u"reason"_s)
        return review && review->isWaiting() && !review->undone;
    return draft.candidate || (draft.kind != u"own"_s && draft.kind != u"idea"_s);
}

} // namespace

QString wordsOfDraft(const QString& place, const RunState& run)
{
    const auto [kind, name, candidate] = draftAt(place, run);
    return kind == u"template"_s ? QObject::tr("the template “%1” (Prompts)").arg(place.section(u'/', 2))
        : kind == u"edit"_s      ? QObject::tr("your edit of %1 (Review)").arg(name)
        : kind == u"reason"_s    ? QObject::tr("your reason for %1 (Review)").arg(name)
        : kind == u"own"_s       ? QObject::tr("your version of %1").arg(name)
        : kind == u"insights"_s  ? QObject::tr("your insights (Evolve)")
        : kind == u"hints"_s     ? QObject::tr("your hints (Candidate ▸ Hints)")
        : kind == u"idea"_s      ? QObject::tr("your idea for %1").arg(name)
        : kind == u"reply"_s     ? QObject::tr("your reply to prompt %1 (Prompts)").arg(name)
                                 : QString();
}

QStringList keptWork(const Drafts& drafts, const RunState& run)
{
    QStringList kept;
    for (const QString& place : drafts.places()) {
        const QString words = wordsOfDraft(place, run);
        if (!words.isEmpty() && isOfUse(draftAt(place, run), run))
            kept << words;
    }
    return kept;
}

using namespace std::chrono_literals;

LockWatch::LockWatch(QObject* parent)
    : QObject(parent)
{
    m_pause.setInterval(1s);
    m_pause.setSingleShot(true);
    connect(&m_pause, &QTimer::timeout, this, &LockWatch::look);
}

void LockWatch::watch(const QString& path)
{
    if (std::exchange(m_path, path) == path)
        return;
    m_pause.stop();
    if (!path.isEmpty())
        m_pause.start();
}

void LockWatch::look()
{
    doAside(
        this, [file = m_path.toStdString()] { return isLockedByWriter(file); },
        [this, path = m_path](bool isHeld) {
            if (path != m_path)
                return; // another one is watched now
            if (isHeld)
                return m_pause.start();
            m_path.clear();
            Q_EMIT freed(path);
        });
}

RunNews::RunNews(
    const SessionClient& session, MessageBar& bar, std::function<bool(CandidateId)> isRead, QObject* parent)
    : QObject(parent)
    , m_session(session)
    , m_bar(bar)
    , m_isRead(std::move(isRead))
{
}

void RunNews::follow()
{
    const Snapshot& snapshot = m_session.snapshot();
    const RunState& run = snapshot.run;
    const bool isNews = m_isKnown && snapshot.status.sessionOpen && !snapshot.status.opening;
    m_isKnown = snapshot.status.sessionOpen && !snapshot.status.opening; // while it is read, all of it is of the past
    for (std::size_t i = m_reruns; i < run.reruns.size(); ++i)
        m_open.insert(run.reruns[i].id);
    m_reruns = run.reruns.size();
    for (auto each = m_open.begin(); each != m_open.end();) {
        const auto at = static_cast<std::size_t>(each->value - 1);
        const bool isThere = at < run.reruns.size();
        if (isThere && run.reruns[at].isOpen()) {
            ++each;
            continue;
        }
        if (isNews && isThere && run.reruns[at].evaluation)
            tellRerun(run.reruns[at]);
        each = m_open.erase(each);
    }
    for (std::size_t i = m_candidates; i < run.candidates.size(); ++i)
        if (isHandwritten(run, run.candidates[i]))
            m_own.insert(run.candidates[i].id);
    m_candidates = run.candidates.size();
    for (auto each = m_own.begin(); each != m_own.end();) {
        const Candidate* written = run.candidate(*each);
        if (written && !written->isOver()) {
            ++each;
            continue;
        }
        if (isNews && written && !written->takenBack)
            tellOwn(*written);
        each = m_own.erase(each);
    }
    const std::size_t before = std::exchange(m_bests, run.bestTrace.size());
    if (isNews && run.bestTrace.size() > before)
        tellBest();
}

void RunNews::tellRerun(const Rerun& rerun)
{
    const RunState& run = m_session.run();
    const Candidate* candidate = run.candidate(rerun.candidate);
    const Evaluation* evaluation = run.evaluation(rerun.evaluation);
    if (!candidate || !evaluation || m_isRead(candidate->id))
        return;
    const Agreement agreement = findingOf(run, *candidate, *evaluation).agreement;
    const bool isInDoubt = agreement == Agreement::Contradicts || agreement == Agreement::Drift;
    const bool isOdd = isInDoubt || agreement == Agreement::NotMeasured;
    const QString hint
        = isInDoubt ? tr("the first results stay; “Re-run both, paired” shows which of them hold") : QString();
    const quint64 message = m_bar.show(
        isOdd ? MessageBar::Mood::Warning : MessageBar::Mood::Info, rerunEnded(run, rerun), hint, MessageKind::News);
    if (!isInDoubt)
        return m_bar.offer(message, tr("Show"), [this, id = candidate->id] { Q_EMIT runsWanted(id); });
    m_bar.offer(message, tr("Re-run both, paired"), [this, id = candidate->id] { Q_EMIT pairedRerunWanted(id); });
}

void RunNews::tellOwn(const Candidate& written)
{
    const QString name = nameOfCandidate(written.id);
    const bool isMeasured = written.isRanked() && written.score;
    const QString words = isMeasured
        ? tr("Your version %1 was measured: %2 baseline, %3.").arg(name, times(written.score), stateWords(written))
        : tr("Your version %1 was refused: %2.")
              .arg(name, written.rule.empty() ? stateWords(written) : ruleWords(written.rule));
    const quint64 message = m_bar.show(isMeasured ? MessageBar::Mood::Info : MessageBar::Mood::Warning, words,
        isMeasured ? QString() : ruleRemedy(written.rule), MessageKind::News);
    m_bar.offer(message, tr("Show"), [this, id = written.id] { Q_EMIT candidateWanted(id); });
}

void RunNews::tellBest()
{
    const RunState& run = m_session.run();
    const Candidate* best = run.best();
    if (!best)
        return;
    const quint64 message = m_bar.show(MessageBar::Mood::Info, newBestWords(run, *best), {}, MessageKind::Best);
    m_bar.offer(message, tr("Show"), [this, id = best->id] { Q_EMIT candidateWanted(id); });
}

} // namespace tilewright::ui
