// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/take_back_words.h"

#include "core/model/review_undo.h"
#include "ui/models/format.h"
#include "ui/shell/done_words.h"

#include <QCoreApplication>
#include <algorithm>
#include <optional>
#include <set>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

/// The change of the policy that let this word through, and is to be taken back with it: the newest of this person's,
/// and nothing that waits is approved by that. None else.
std::optional<SettingUndo::Entry> policyChangeWith(const SettingUndo& undo, const Review& word)
{
    const std::vector<SettingUndo::Entry> all = undo.entries();
    const auto newest = std::ranges::find_if(all, &SettingUndo::Entry::isOfPolicy);
    const bool isIt
        = newest != all.end() && !newest->isEarlier && newest->why.isEmpty() && newest->seq < word.decidedSeq;
    return isIt ? std::optional(*newest) : std::nullopt;
}

class WordsOnCandidates
{
    Q_DECLARE_TR_FUNCTIONS(TakeBack)

public:
    WordsOnCandidates(TakeBackList& list, Session& session, SettingUndo& undo)
        : m_list(list)
        , m_session(session)
        , m_undo(undo)
        , m_run(session.run())
        , m_door(session.door())
    {
    }

    void put()
    {
        std::set<CandidateId> told; // what one word, or one change of the policy, was on is one
        for (const Review& review : m_run.reviews) {
            if (!stands(review) || told.contains(review.candidate))
                continue;
            const Candidate* after = measuredAfter(m_run, review);
            if (review.by == byPolicy) {
                if (!after || !after->isOver()) // else its figures stand: nothing is left to take back
                    letThrough(review, told);
            } else {
                word(review, told);
            }
        }
    }

    quint64 policyTold() const { return m_policyTold; }

private:
    bool stands(const Review& review) const
    {
        const Candidate* candidate = m_run.candidate(review.candidate);
        return review.decision != Decision::Waiting && !review.undone && candidate && candidate->review == review.id;
    }
    /// On whom a person's word was, as far as it stands.
    std::vector<const Review*> wordWith(const Review& one) const
    {
        const std::vector<CandidateId>* all = m_session.wordWith(one.candidate);
        if (!all)
            return {&one};
        std::vector<const Review*> with;
        for (const CandidateId each : *all) {
            const Candidate* candidate = m_run.candidate(each);
            const Review* review = candidate ? m_run.review(candidate->review) : nullptr;
            if (review && stands(*review) && review->decision == one.decision && m_session.wordWith(each) == all)
                with.push_back(review);
        }
        return with.empty() ? std::vector{&one} : with;
    }
    /// What becomes of those that were decided on: some may be measured by now.
    QString whatWaitsAgain(std::size_t back, std::size_t all) const
    {
        return back == all && all == 1 ? tr("It waits again.")
            : back == all              ? tr("They wait again.")
                          : tr("%1; %2").arg(counted(static_cast<std::int64_t>(back), tr("%1 of them waits again"),
                                                 tr("%1 of them wait again")),
                              counted(static_cast<std::int64_t>(all - back),
                                  tr("%1 is measured already, or being measured, and stays."),
                                  tr("%1 are measured already, or being measured, and stay.")));
    }
    /// As far as it can be taken back.
    void word(const Review& one, std::set<CandidateId>& told)
    {
        const std::vector<const Review*> all = wordWith(one);
        std::vector<CandidateId> back;
        const Candidate* underWay = nullptr;
        std::int64_t seq = 0;
        for (const Review* each : all) {
            told.insert(each->candidate);
            seq = std::max(seq, each->decidedSeq);
            const Candidate* after = measuredAfter(m_run, *each);
            if (!after)
                back.push_back(each->candidate);
            else if (!after->isOver())
                underWay = after;
        }
        const QString words = reviewWords(one, all.size());
        if (back.empty() && !underWay)
            return m_list.addOver(words, tr("what came of it is measured, and stays"), seq);
        m_list.put({u"review %1"_s.arg(all.front()->id.value), words, back.empty() ? busyWords(*underWay) : QString(),
            seq, {}, undoing(back),
            one.decision == Decision::Edited ? editing(one) : deciding(back, one.decision, text(one.reason)),
            whatWaitsAgain(back.size(), all.size()), back});
        m_list.last().done = reviewDone(one, all.size());
        const bool isMeasured = one.decision == Decision::Approved || one.decision == Decision::Edited;
        if (isMeasured && !back.empty() && !m_list.rests().isEmpty())
            m_list.last().now = (back.size() == 1 ? tr("%1: it is measured once the run goes on.")
                                                  : tr("%1: they are measured once the run goes on."))
                                    .arg(m_list.rests());
    }
    std::function<void()> undoing(const std::vector<CandidateId>& all) const
    {
        return [&door = m_door, all] {
            for (auto each = all.rbegin(); each != all.rend(); ++each)
                door.undoReview(*each);
        };
    }
    std::function<void()> deciding(
        const std::vector<CandidateId>& all, Decision decision, const QString& reason = {}) const
    {
        return [&session = m_session, all, decision, reason] { session.decide(all, decision, reason); };
    }
    std::function<void()> editing(const Review& one) const
    {
        const Candidate* edited = m_run.candidate(one.edited);
        if (!edited)
            return {};
        return [&session = m_session, source = edited->source, candidate = one.candidate, reason = text(one.reason)] {
            withText(session, source, [&session, candidate, reason](const QString& words) {
                session.door().approveEdited(candidate, words, reason);
            });
        };
    }
    /// All that a change of the policy let through, as far as it can come back.
    void letThrough(const Review& one, std::set<CandidateId>& told)
    {
        std::vector<CandidateId> all = letThroughWith(m_run, one);
        const std::int64_t first = all.front().value;
        const std::size_t count = all.size();
        told.insert(all.begin(), all.end());
        std::erase_if(all, [this](CandidateId id) { return !canTakeWordBack(m_run, id); });
        const Candidate* after = all.empty() ? measuredAfter(m_run, one) : nullptr;
        const auto change = all.empty() ? std::nullopt : policyChangeWith(m_undo, one);
        const QString then = all.empty() ? QString() : whatWaitsAgain(all.size(), count);
        if (change) { // one order: else they would wait where nothing is to
            m_policyTold = change->number;
            const QString words = change->words + u", "_s
                + counted(static_cast<std::int64_t>(count), tr("with %1 edit that it approved"),
                    tr("with %1 edits that it approved"));
            return m_list.put({u"policy %1"_s.arg(first), words, {}, one.decidedSeq, {},
                [takeBack = undoing(all), &undo = m_undo, number = change->number] {
                    takeBack();
                    undo.undo(number);
                },
                {}, then, all});
        }
        const QString words = count < 2
            ? tr("the approval of %1 by a change of the policy").arg(nameOfCandidate(one.candidate))
            : tr("the approval of %1 edits by a change of the policy").arg(count);
        m_list.put({u"policy %1"_s.arg(first), words, after ? busyWords(*after) : QString(), one.decidedSeq, {},
            undoing(all), deciding(all, Decision::Approved), then, all});
    }

    TakeBackList& m_list;
    Session& m_session;
    SettingUndo& m_undo;
    const RunState& m_run;
    EngineDoor& m_door;
    quint64 m_policyTold = 0;
};

} // namespace

quint64 putWordsOnCandidates(TakeBackList& list, Session& session, SettingUndo& undo)
{
    WordsOnCandidates words(list, session, undo);
    words.put();
    return words.policyTold();
}

} // namespace tilewright::ui
