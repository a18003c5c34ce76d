// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/take_back.h"

#include "core/model/review_undo.h"
#include "ui/evolve/insights_box.h"
#include "ui/evolve/island_levers.h"
#include "ui/models/figures.h"
#include "ui/models/format.h"
#include "ui/models/mark_words.h"
#include "ui/session/text_slot.h"

#include <QCoreApplication>
#include <algorithm>
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
    }

    void reviews()
    {
        std::set<CandidateId> told; // what one change of the policy let through is one
        for (const Review& review : m_run.reviews) {
            const Candidate* candidate = m_run.candidate(review.candidate);
            if (review.decision == Decision::Waiting || review.undone || !candidate || candidate->review != review.id)
                continue;
            const Candidate* after = measuredAfter(m_run, review);
            if (after && after->isOver())
                continue; // its figures stand: nothing is left to take back
            if (review.by == byPolicy) {
                if (!told.contains(review.candidate))
                    letThrough(review, told);
                continue;
            }
            put({u"review %1"_s.arg(review.id.value), reviewWords(review), after ? busy(*after) : QString(),
                review.decidedSeq, {}, [&door = m_door, id = review.candidate] { door.undoReview(id); },
                reviewAgain(m_door, review)});
        }
    }

    void written()
    {
        for (const Candidate& candidate : m_run.candidates) {
            if (candidate.isOver() || candidate.review || !isHandwritten(m_run, candidate))
                continue;
            add(u"own"_s, candidate.id.value, tr("%1 was written by you").arg(nameOfCandidate(candidate.id)),
                canBeWithdrawn(m_run, candidate) ? QString() : busy(candidate), candidate.seq,
                pulling(levers::Withdraw{candidate.id}));
        }
    }

    void levers()
    {
        const IslandLever* newest = m_run.newestLever();
        for (const IslandLever& lever : m_run.levers)
            if (!lever.undone) {
                const bool isNewest = newest && newest->number == lever.number;
                const auto order = isNewest ? orderOf(m_run, lever) : std::nullopt;
                put({u"lever %1"_s.arg(lever.number), wordsOfLever(lever),
                    isNewest ? QString() : tr("a later order to islands comes first"), lever.seq, {},
                    [&door = m_door] { door.orderIslands(orders::UndoOrder{}); },
                    order ? [&door = m_door, order = *order] { door.orderIslands(order); } : std::function<void()>()});
            }
    }

    void wishes()
    {
        for (const Wish& wish : m_run.wishes) {
            if (!wish.isOpen())
                continue;
            const QString name = nameOfCandidate(wish.parent);
            const QString words = wish.isForJudge() ? tr("a word on %1 was asked for").arg(name)
                : !wish.idea.empty()                ? tr("an idea for %1: %2").arg(name, text(wish.idea).simplified())
                                     : counted(wish.count - wish.granted, tr("the wish for %1 edit of %2"),
                                         tr("the wish for %1 edits of %2"))
                                           .arg(name);
            add(u"wish"_s, wish.id.value, words, {}, wish.seq, pulling(levers::DropWishes{wish.parent, wish.id}),
                pulling(levers::Wish{wish.parent, wish.count - wish.granted, wish.idea, wish.prompt}));
        }
    }

    void places()
    {
        for (const Placement& placement : m_run.placements) {
            const Candidate* copy = m_run.candidate(placement.copy);
            if (placement.undone || !copy)
                continue;
            const QString words = placement.placing == Placing::Move ? tr("%1 was moved to island %2, as %3")
                                                                     : tr("%1 was copied to island %2, as %3");
            add(u"place"_s, placement.copy.value,
                words.arg(
                    nameOfCandidate(placement.from), text(islandLetter(copy->island)), nameOfCandidate(placement.copy)),
                {}, copy->seq, pulling(levers::UndoPlace{placement.copy}),
                pulling(levers::Place{placement.from, copy->island, placement.placing}));
        }
    }

    void reruns()
    {
        std::set<CandidateId> told; // one order drops all of a candidate
        for (auto rerun = m_run.reruns.rbegin(); rerun != m_run.reruns.rend(); ++rerun)
            if (rerun->isOpen() && told.insert(rerun->candidate).second)
                add(u"rerun"_s, rerun->candidate.value,
                    tr("%1 is to be measured again").arg(nameOfCandidate(rerun->candidate)), {}, rerun->seq,
                    pulling(levers::DropReruns{rerun->candidate}),
                    rerun->shapes.empty()
                        ? pulling(levers::Rerun{rerun->candidate, rerun->repeats, rerun->against, {}, rerun->device})
                        : std::function<void()>());
    }

    void marks()
    {
        for (const auto& [id, held] : m_run.marks)
            if (!held.empty())
                add(u"mark"_s, id.value, lastMarkWords(m_run, id), {}, held.back().seq, pulling(levers::UndoMark{id}),
                    pulling(levers::Mark{id, held.back().marks}));
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
            const QString words = isTakenAway ? tr("version %1 of the template %2 for %3 was taken away")
                                              : tr("version %1 of the template %2 for %3 was saved");
            put({u"template %1"_s.arg(order->seq),
                words.arg(isTakenAway && before ? before->held() : order->number)
                    .arg(text(order->name),
                        order->island ? tr("island %1").arg(text(islandLetter(order->island))) : tr("all islands")),
                {}, order->seq, {},
                [&door = m_door, island = order->island, name = text(order->name)] { door.undoTemplate(island, name); },
                isTakenAway ? takingAway(*order) : savingAgain(*order)});
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
        put({u"insights %1"_s.arg(held.size()), tr("your part of what the run has learned was changed"), {},
            changedAt({}, "your insights", "written"), {}, writing(held[held.size() - 2]), writing(held.back())});
    }

    void settings()
    {
        for (const SettingUndo::Entry& entry : m_undo.entries())
            if (entry.number != m_policyTold)
                m_all.push_back({u"setting %1 %2"_s.arg(entry.number).arg(entry.seq), entry.words, entry.why, entry.seq,
                    entry.isEarlier, [&undo = m_undo, number = entry.number] { undo.undo(number); },
                    m_undo.again(entry.number)});
    }

    std::vector<TakeBack> newestFirst()
    {
        std::ranges::stable_sort(m_all, std::ranges::greater{}, &TakeBack::seq);
        if (m_all.size() > mostTakeBacks)
            m_all.resize(mostTakeBacks);
        return std::move(m_all);
    }

private:
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
    /// All that a change of the policy let through, as far as it can come back.
    void letThrough(const Review& one, std::set<CandidateId>& told)
    {
        std::vector<CandidateId> all = letThroughWith(m_run, one);
        const std::int64_t first = all.front().value;
        told.insert(all.begin(), all.end());
        std::erase_if(all, [this](CandidateId id) { return !canTakeWordBack(m_run, id); });
        const QString words = all.size() < 2
            ? tr("%1 was approved by a change of the policy").arg(nameOfCandidate(all.empty() ? one.candidate : all[0]))
            : tr("%1 edits were approved by a change of the policy").arg(all.size());
        const Candidate* after = all.empty() ? measuredAfter(m_run, one) : nullptr;
        const auto change = all.empty() ? std::nullopt : policyChangeWith(m_undo, one);
        const auto takeBack = [&door = m_door, all] {
            for (auto each = all.rbegin(); each != all.rend(); ++each)
                door.undoReview(*each);
        };
        if (change) { // one order: else they would wait where nothing is to
            m_policyTold = change->number;
            return put({u"policy %1"_s.arg(first), policyWords(*change, all.size()), {}, one.decidedSeq, {},
                [takeBack, &undo = m_undo, number = change->number] {
                    takeBack();
                    undo.undo(number);
                }});
        }
        put({u"policy %1"_s.arg(first), words, after ? busy(*after) : QString(), one.decidedSeq, {}, takeBack,
            [&door = m_door, all] {
                for (const CandidateId each : all)
                    door.decide(each, Decision::Approved, {});
            }});
    }
    /// With what was changed into what, where the order alone does not say it.
    QString wordsOfLever(const IslandLever& lever) const
    {
        const auto change = std::ranges::find(m_run.changes, lever.seq, &RunChange::seq);
        const bool isTold = lever.kind != LeverKind::Steered && lever.kind != LeverKind::Migration;
        if (isTold || change == m_run.changes.end())
            return orderWords(lever);
        return tr("%1: %2 → %3").arg(orderWords(lever), text(change->from), text(change->to));
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
    /// Why the word on a candidate that is under way came too late.
    static QString busy(const Candidate& candidate)
    {
        return tr("%1 is being measured").arg(nameOfCandidate(candidate.id));
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
    QString m_why; ///< nothing of the session can be taken back
    std::vector<TakeBack> m_all;
};

} // namespace

QString reviewWords(const Review& review)
{
    const QString name = nameOfCandidate(review.candidate);
    return review.decision == Decision::Approved ? Collector::tr("%1 was approved").arg(name)
        : review.decision == Decision::Rejected  ? Collector::tr("%1 was rejected").arg(name)
        : review.decision == Decision::Deferred
        ? Collector::tr("%1 was deferred").arg(name)
        : Collector::tr("%1 was edited, as %2").arg(name, nameOfCandidate(review.edited));
}

std::optional<SettingUndo::Entry> policyChangeWith(const SettingUndo& undo, const Review& word)
{
    if (word.by != byPolicy)
        return std::nullopt;
    const std::vector<SettingUndo::Entry> all = undo.entries();
    const auto newest = std::ranges::find_if(all, &SettingUndo::Entry::isOfPolicy);
    const bool isIt
        = newest != all.end() && !newest->isEarlier && newest->why.isEmpty() && newest->seq < word.decidedSeq;
    return isIt ? std::optional(*newest) : std::nullopt;
}

QString policyWords(const SettingUndo::Entry& change, std::size_t approved)
{
    return change.words + u", "_s
        + counted(static_cast<std::int64_t>(approved), Collector::tr("with %1 edit that it approved"),
            Collector::tr("with %1 edits that it approved"));
}

std::function<void()> reviewAgain(EngineDoor& door, const Review& review)
{
    if (review.decision == Decision::Edited)
        return {}; // the text of an edit is the person's
    return [&door, id = review.candidate, decision = review.decision, reason = text(review.reason)] {
        door.decide(id, decision, reason);
    };
}

std::vector<TakeBack> takeBacks(const Desk& desk, SettingUndo& undo)
{
    Collector all(desk, undo);
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
    return all.newestFirst();
}

} // namespace tilewright::ui
