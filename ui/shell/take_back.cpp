// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/take_back.h"

#include "core/model/dispute.h"
#include "core/model/review_undo.h"
#include "ui/evolve/insights_box.h"
#include "ui/evolve/island_levers.h"
#include "ui/models/best_words.h"
#include "ui/models/figures.h"
#include "ui/models/format.h"
#include "ui/models/mark_words.h"
#include "ui/session/text_slot.h"
#include "ui/shell/done_words.h"

#include <QCoreApplication>
#include <algorithm>
#include <optional>
#include <set>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

/// Once the text of the session is there.
void withText(Session& session, const Hash& hash, std::function<void(const QString&)> then)
{
    if (hash.isNull())
        return then({});
    auto* slot = new TextSlot(session, &session);
    QObject::connect(&session, &Session::replaced, slot, &QObject::deleteLater);
    QObject::connect(slot, &TextSlot::ready, slot, [slot, then = std::move(then)](const QString& text) {
        slot->deleteLater();
        then(text);
    });
    slot->request(hash);
}

/// The order that a lever was; none where the record does not tell all of it.
std::optional<IslandOrder> orderOf(const RunState& run, const IslandLever& lever)
{
    const IslandId id = lever.before.id;
    const Island* island = run.island(id);
    if (lever.kind == LeverKind::Migration)
        return orders::PlanMigration{run.settings.migration};
    if (lever.kind == LeverKind::Steered && island)
        return orders::SteerIsland{id, island->steering};
    if (lever.kind != LeverKind::Standing)
        return std::nullopt;
    if (lever.standing.into)
        return orders::MergeIsland{id, lever.standing.into};
    return lever.standing.standing == Standing::Paused ? IslandOrder(orders::PauseIsland{id})
                                                       : IslandOrder(orders::ResumeIsland{id});
}

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

class Collector
{
    Q_DECLARE_TR_FUNCTIONS(TakeBack)

public:
    Collector(const Desk& desk, SettingUndo& undo)
        : m_undo(undo)
        , m_run(desk.session.run())
        , m_session(desk.session)
        , m_door(desk.session.door())
        , m_openedAt(desk.session.openedAt())
    {
        const EngineStatus& status = desk.session.snapshot().status;
        if (!status.sessionOpen || status.readOnly)
            m_why = tr("the session is only looked at");
        const bool isPaused = status.pausing || status.phase == events::Phase::Paused;
        if (isPaused || status.phase != events::Phase::Running)
            m_rests = !status.elsewhere.empty() ? tr("This machine has no device of this session")
                : isPaused                      ? tr("The run is paused")
                                                : tr("The run rests");
    }

    void reviews()
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

    void written()
    {
        for (const Candidate& candidate : m_run.candidates) {
            if (candidate.review || !isHandwritten(m_run, candidate))
                continue;
            const QString words = tr("your version %1").arg(nameOfCandidate(candidate.id));
            if (candidate.isOver())
                carriedOut(words, tr("it was built and judged, and what came of it stays"), candidate.seq);
            else
                add(u"own"_s, candidate.id.value, words, canBeWithdrawn(m_run, candidate) ? QString() : busy(candidate),
                    candidate.seq, pulling(levers::Withdraw{candidate.id}));
            if (!candidate.isOver()) {
                m_all.back().done = tr("Your version is %1").arg(nameOfCandidate(candidate.id));
                m_all.back().now = m_rests.isEmpty() ? tr("It is built, checked and measured next.")
                                                     : tr("%1: it is built and measured once it goes on.").arg(m_rests);
            }
        }
    }

    void levers()
    {
        const IslandLever* newest = m_run.newestLever();
        for (const IslandLever& lever : m_run.levers)
            if (!lever.undone) {
                const bool isNewest = newest && newest->number == lever.number;
                const auto order = isNewest ? orderOf(m_run, lever) : std::nullopt;
                const QString change = changeOf(lever), words = orderWords(lever);
                put({u"lever %1"_s.arg(lever.number), change.isEmpty() ? words : words + u": "_s + change,
                    isNewest ? QString() : tr("a later order to islands comes first"), lever.seq, {},
                    [&door = m_door] { door.orderIslands(orders::UndoOrder{}); },
                    order ? [&door = m_door, order = *order] { door.orderIslands(order); } : std::function<void()>(),
                    isNewest ? leverThen(m_run, lever) : QString()});
                m_all.back().done = change.isEmpty() ? leverDone(lever) : leverDone(lever) + u": "_s + change;
            }
    }

    void wishes()
    {
        for (const Wish& wish : m_run.wishes) {
            if (wish.withdrawn)
                continue;
            const QString name = nameOfCandidate(wish.parent);
            const int left = wish.isOpen() ? wish.count - wish.granted : wish.count;
            const QString words = wish.isForJudge() ? tr("the question for a word on %1").arg(name)
                : !wish.idea.empty()
                ? tr("an idea for %1: %2").arg(name, text(wish.idea).simplified())
                : counted(left, tr("the wish for %1 edit of %2"), tr("the wish for %1 edits of %2")).arg(name);
            if (!wish.isOpen()) {
                carriedOut(words, tr("it was asked for already"), wish.seq);
                continue;
            }
            add(u"wish"_s, wish.id.value, words, {}, wish.seq, pulling(levers::DropWishes{wish.parent, wish.id}),
                pulling(levers::Wish{wish.parent, wish.count - wish.granted, wish.idea, wish.prompt}));
            m_all.back().done = wishDone(wish);
            if (!m_rests.isEmpty())
                m_all.back().now = tr("%1: nobody is asked before it goes on.").arg(m_rests);
        }
    }

    void places()
    {
        for (const Placement& placement : m_run.placements) {
            const Candidate* copy = m_run.candidate(placement.copy);
            if (placement.undone || !copy)
                continue;
            const QString words = placement.placing == Placing::Move ? tr("the move of %1 to island %2, as %3")
                                                                     : tr("the copy of %1 to island %2, as %3");
            add(u"place"_s, placement.copy.value,
                words.arg(
                    nameOfCandidate(placement.from), text(islandLetter(copy->island)), nameOfCandidate(placement.copy)),
                {}, copy->seq, pulling(levers::UndoPlace{placement.copy}),
                pulling(levers::Place{placement.from, copy->island, placement.placing}));
            m_all.back().done = (placement.placing == Placing::Move ? tr("Moved %1 to island %2, as %3")
                                                                    : tr("Copied %1 to island %2, as %3"))
                                    .arg(nameOfCandidate(placement.from), text(islandLetter(copy->island)),
                                        nameOfCandidate(placement.copy));
        }
    }

    void reruns()
    {
        std::set<CandidateId> told; // one order drops all of a candidate
        for (auto rerun = m_run.reruns.rbegin(); rerun != m_run.reruns.rend(); ++rerun)
            if (rerun->evaluation)
                carriedOut(rerunWords(*rerun), tr("it is measured, and its result stays"), rerun->seq);
            else if (rerun->isOpen() && told.insert(rerun->candidate).second) {
                add(u"rerun"_s, rerun->candidate.value, rerunWords(*rerun), {}, rerun->seq,
                    pulling(levers::DropReruns{rerun->candidate}),
                    rerun->shapes.empty()
                        ? pulling(levers::Rerun{rerun->candidate, rerun->repeats, rerun->against, {}, rerun->device})
                        : std::function<void()>());
                if (!isQuickResult(m_run, *rerun)) {
                    m_all.back().done = tr("%1 is measured again in its turn").arg(nameOfCandidate(rerun->candidate));
                    continue;
                }
                m_all.back().done = tr("Asked for a quick result of %1").arg(nameOfCandidate(rerun->candidate));
                m_all.back().now = tr("It comes once the device is free.");
                m_all.back().then = tr("It waits for your word as before.");
            }
    }

    void marks()
    {
        for (const auto& [id, held] : m_run.marks) {
            if (held.empty())
                continue;
            put({u"mark %1"_s.arg(id.value), lastMarkWords(m_run, id), {}, held.back().seq, {},
                pulling(levers::UndoMark{id}), pulling(levers::Mark{id, held.back().marks}),
                marksThenWords(m_run, id)});
            m_all.back().now = bestAfterMark(m_run, id);
            m_all.back().done = lastMarkDone(m_run, id);
        }
    }

    /// Of each template the order that stands: a text of it was saved, or taken away.
    void templates()
    {
        std::set<std::pair<IslandId, std::string>> told;
        for (const TemplateVersion& each : m_run.templates) {
            if (!told.insert({each.island, each.name}).second)
                continue;
            const TemplateVersion* order = newestTemplateOrder(m_run.templates, each.island, each.name);
            if (!order)
                continue;
            const TemplateVersion* before = heldBefore(m_run.templates, *order);
            const bool isTakenAway = order->text.isNull() || order->again;
            const QString words = isTakenAway ? tr("taking away version %1 of the template %2 for %3")
                                              : tr("saving version %1 of the template %2 for %3");
            const auto named = [&](const QString& form) {
                return form.arg(isTakenAway && before ? before->held() : order->number)
                    .arg(text(order->name),
                        order->island ? tr("island %1").arg(text(islandLetter(order->island))) : tr("all islands"));
            };
            put({u"template %1"_s.arg(order->seq), named(words), {}, order->seq, {},
                [&door = m_door, island = order->island, name = text(order->name)] { door.undoTemplate(island, name); },
                isTakenAway ? takingAway(*order) : savingAgain(*order)});
            m_all.back().done = named(isTakenAway ? tr("Took away version %1 of the template %2 for %3")
                                                  : tr("Saved version %1 of the template %2 for %3"));
        }
    }

    /// The person's part of what prompts tell of the run.
    void insights()
    {
        const std::vector<Hash> held = notesHeld(m_run);
        if (held.size() < 2)
            return;
        const auto writing = [this](const Hash& hash) {
            return [&session = m_session, hash] {
                withText(session, hash, [&session](const QString& words) { session.door().writeInsights(words); });
            };
        };
        put({u"insights %1"_s.arg(held.size()), tr("the change of your part of what the run has learned"), {},
            changedAt({}, "your insights", "written"), {}, writing(held[held.size() - 2]), writing(held.back())});
        m_all.back().done = tr("Changed your part of what the run has learned");
    }

    /// What was put away of what the program keeps.
    void putAway()
    {
        for (const SettingUndo::Entry& entry : m_undo.entries())
            if (entry.isKept)
                setting(entry);
    }

    void settings()
    {
        for (const SettingUndo::Entry& entry : m_undo.entries())
            if (!entry.isKept && entry.number != m_policyTold)
                setting(entry);
    }

    /// In its place among the others, which come newest first.
    std::vector<TakeBack> newestFirstAndOver()
    {
        std::optional<TakeBack> over = std::move(m_carriedOut);
        std::vector<TakeBack> all = newestFirst();
        if (over) {
            const auto place = std::ranges::find_if(all, [&](const TakeBack& each) { return each.seq <= over->seq; });
            all.insert(place, std::move(*over));
        }
        return all;
    }

    std::vector<TakeBack> newestFirst()
    {
        std::ranges::stable_sort(m_all, std::ranges::greater{}, &TakeBack::seq);
        if (m_all.size() > mostTakeBacks)
            m_all.resize(mostTakeBacks);
        return std::move(m_all);
    }

private:
    void setting(const SettingUndo::Entry& entry)
    {
        m_all.push_back({keyOfSetting(entry.number), entry.words, entry.why, entry.seq, entry.isEarlier,
            [&undo = m_undo, number = entry.number] { undo.undo(number); }, m_undo.again(entry.number), entry.then});
        m_all.back().isRecorded = !entry.isKept;
        m_all.back().now = entry.now;
    }
    template <typename Pulled> std::function<void()> pulling(Pulled lever) const
    {
        return [&door = m_door, lever = std::move(lever)] { door.pull(lever); };
    }
    std::function<void()> takingAway(const TemplateVersion& order) const
    {
        return [&door = m_door, island = order.island, name = order.name, note = text(order.note)] {
            door.saveTemplate({island, name, {}, {}}, note);
        };
    }
    std::function<void()> savingAgain(const TemplateVersion& order) const
    {
        return [&session = m_session, version = order] {
            withText(session, version.text, [&session, version](const QString& words) {
                session.door().saveTemplate(
                    {version.island, version.name, words.toStdString(), {}}, text(version.note));
            });
        };
    }
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
            return carriedOut(words, tr("what came of it is measured, and stays"), seq);
        put({u"review %1"_s.arg(all.front()->id.value), words, back.empty() ? busy(*underWay) : QString(), seq, {},
            undoing(back),
            one.decision == Decision::Edited ? editing(one) : deciding(back, one.decision, text(one.reason)),
            whatWaitsAgain(back.size(), all.size()), back});
        m_all.back().done = reviewDone(one, all.size());
        const bool isMeasured = one.decision == Decision::Approved || one.decision == Decision::Edited;
        if (isMeasured && !back.empty() && !m_rests.isEmpty())
            m_all.back().now = (back.size() == 1 ? tr("%1: it is measured once the run goes on.")
                                                 : tr("%1: they are measured once the run goes on."))
                                   .arg(m_rests);
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
            return put({u"policy %1"_s.arg(first), words, {}, one.decidedSeq, {},
                [takeBack = undoing(all), &undo = m_undo, number = change->number] {
                    takeBack();
                    undo.undo(number);
                },
                {}, then, all});
        }
        const QString words = count < 2
            ? tr("the approval of %1 by a change of the policy").arg(nameOfCandidate(one.candidate))
            : tr("the approval of %1 edits by a change of the policy").arg(count);
        put({u"policy %1"_s.arg(first), words, after ? busy(*after) : QString(), one.decidedSeq, {}, undoing(all),
            deciding(all, Decision::Approved), then, all});
    }
    /// What was changed into what, where the order alone does not say it.
    QString changeOf(const IslandLever& lever) const
    {
        const auto change = std::ranges::find(m_run.changes, lever.seq, &RunChange::seq);
        const bool isTold = lever.kind != LeverKind::Steered && lever.kind != LeverKind::Migration;
        return isTold || change == m_run.changes.end() ? QString() : text(change->from) + u" → "_s + text(change->to);
    }
    /// Number of the newest event of such a change; 0 if there is none.
    std::int64_t changedAt(IslandId island, const std::string& what, const std::string& to) const
    {
        for (std::size_t i = m_run.changes.size(); i > 0; --i)
            if (const RunChange& change = m_run.changes[i - 1];
                change.island == island && change.what == what && (change.to == to || change.to.starts_with(to + ":")))
                return change.seq;
        return 0;
    }
    QString rerunWords(const Rerun& rerun) const
    {
        return (isQuickResult(m_run, rerun) ? tr("the quick result of %1") : tr("measuring %1 again"))
            .arg(nameOfCandidate(rerun.candidate));
    }
    /// Why the word on a candidate that is under way came too late.
    static QString busy(const Candidate& candidate)
    {
        return tr("%1 is being measured").arg(nameOfCandidate(candidate.id));
    }
    void carriedOut(const QString& words, const QString& why, std::int64_t seq)
    {
        if (seq > m_openedAt && (!m_carriedOut || seq > m_carriedOut->seq))
            m_carriedOut = TakeBack{u"over %1"_s.arg(seq), words, why, seq, false, {}};
    }
    void add(const QString& kind, std::int64_t number, const QString& words, const QString& why, std::int64_t seq,
        std::function<void()> back, std::function<void()> again = {})
    {
        put({u"%1 %2"_s.arg(kind).arg(number), words, why, seq, {}, std::move(back), std::move(again)});
    }
    void put(TakeBack one)
    {
        if (!m_why.isEmpty())
            one.why = m_why;
        one.isEarlier = one.seq <= m_openedAt;
        m_all.push_back(std::move(one));
    }

    SettingUndo& m_undo;
    quint64 m_policyTold = 0; ///< the change of the policy that is told with what it let through
    const RunState& m_run;
    Session& m_session;
    EngineDoor& m_door;
    std::int64_t m_openedAt;
    QString m_rests; ///< "The run is paused", where it does not go on, and why
    QString m_why; ///< nothing of the session can be taken back
    std::vector<TakeBack> m_all;
    std::optional<TakeBack> m_carriedOut; ///< the newest
};

Collector collected(const Desk& desk, SettingUndo& undo)
{
    Collector all(desk, undo);
    all.putAway(); // of what has the same place in the run, it came later
    all.reviews();
    all.written();
    all.levers();
    all.wishes();
    all.places();
    all.reruns();
    all.marks();
    all.templates();
    all.insights();
    all.settings();
    return all;
}

} // namespace

QString keyOfSetting(quint64 number) { return u"setting %1"_s.arg(number); }

std::vector<TakeBack> takeBacks(const Desk& desk, SettingUndo& undo) { return collected(desk, undo).newestFirst(); }

std::vector<TakeBack> takeBacksAndOver(const Desk& desk, SettingUndo& undo)
{
    return collected(desk, undo).newestFirstAndOver();
}

} // namespace tilewright::ui
