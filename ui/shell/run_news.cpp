// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/run_news.h"

#include "core/model/handwritten.h"
#include "ui/models/best_words.h"
#include "ui/models/format.h"
#include "ui/models/rerun_words.h"
#include "ui/models/rule_words.h"
#include "ui/widgets/message_bar.h"

#include <utility>

namespace tilewright::ui {

RunNews::RunNews(const Session& session, MessageBar& bar, std::function<bool(CandidateId)> isRead, QObject* parent)
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
    const bool isOdd = agreement == Agreement::Contradicts || agreement == Agreement::NotMeasured;
    const QString hint = agreement == Agreement::Contradicts
        ? tr("its first figures stay; “Measure again with…”, against its parent or the best, tells which hold")
        : QString();
    const quint64 message = m_bar.show(
        isOdd ? MessageBar::Mood::Warning : MessageBar::Mood::Info, rerunEnded(run, rerun), hint, MessageKind::News);
    m_bar.offer(message, tr("Show"), [this, id = candidate->id] { Q_EMIT runsWanted(id); });
}

void RunNews::tellOwn(const Candidate& written)
{
    const QString name = nameOfCandidate(written.id);
    const bool isMeasured = written.isRanked() && written.score;
    const QString words = isMeasured
        ? tr("Your version %1 was measured: %2 baseline, %3.").arg(name, times(written.score), stateWords(written))
        : tr("Your version %1 did not get through: %2.")
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
