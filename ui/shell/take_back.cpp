// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/take_back.h"

#include "core/model/dispute.h"
#include "ui/evolve/insights_box.h"
#include "ui/evolve/island_levers.h"
#include "ui/models/best_words.h"
#include "ui/models/figures.h"
#include "ui/models/format.h"
#include "ui/models/mark_words.h"
#include "ui/shell/done_words.h"
#include "ui/shell/take_back_list.h"
#include "ui/shell/take_back_words.h"

#include <QCoreApplication>
#include <algorithm>
#include <optional>
#include <set>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

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
        : m_list(desk)
        , m_undo(undo)
        , m_run(desk.session.run())
        , m_session(desk.session)
        , m_door(desk.session.door())
    {
    }

    /// Words on candidates, and the change of the policy that is told with what it let through.
    void words() { m_policyTold = putWordsOnCandidates(m_list, m_session, m_undo); }

    void written()
    {
        for (const Candidate& candidate : m_run.candidates) {
            if (candidate.review || !isHandwritten(m_run, candidate))
                continue;
            const QString words = tr("your version %1").arg(nameOfCandidate(candidate.id));
            if (candidate.isOver())
                m_list.addOver(words, tr("it was built and judged, and what came of it stays"), candidate.seq);
            else
                add(u"own"_s, candidate.id.value, words,
                    canBeWithdrawn(m_run, candidate) ? QString() : busyWords(candidate), candidate.seq,
                    pulling(levers::Withdraw{candidate.id}));
            if (!candidate.isOver()) {
                m_list.last().done = tr("Your version is %1").arg(nameOfCandidate(candidate.id));
                m_list.last().now = m_list.rests().isEmpty()
                    ? tr("It is built, checked and measured next.")
                    : tr("%1: it is built and measured once it goes on.").arg(m_list.rests());
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
                m_list.put({u"lever %1"_s.arg(lever.number), change.isEmpty() ? words : words + u": "_s + change,
                    isNewest ? QString() : tr("a later order to islands comes first"), lever.seq, {},
                    [&door = m_door] { door.orderIslands(orders::UndoOrder{}); },
                    order ? [&door = m_door, order = *order] { door.orderIslands(order); } : std::function<void()>(),
                    isNewest ? leverThen(m_run, lever) : QString()});
                m_list.last().done = change.isEmpty() ? leverDone(lever) : leverDone(lever) + u": "_s + change;
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
                m_list.addOver(words, tr("it was asked for already"), wish.seq);
                continue;
            }
            add(u"wish"_s, wish.id.value, words, {}, wish.seq, pulling(levers::DropWishes{wish.parent, wish.id}),
                pulling(levers::Wish{wish.parent, wish.count - wish.granted, wish.idea, wish.prompt}));
            m_list.last().done = wishDone(wish);
            if (!m_list.rests().isEmpty())
                m_list.last().now = tr("%1: nobody is asked before it goes on.").arg(m_list.rests());
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
            m_list.last().done = (placement.placing == Placing::Move ? tr("Moved %1 to island %2, as %3")
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
                m_list.addOver(rerunWords(*rerun), tr("it is measured, and its result stays"), rerun->seq);
            else if (rerun->isOpen() && told.insert(rerun->candidate).second) {
                add(u"rerun"_s, rerun->candidate.value, rerunWords(*rerun), {}, rerun->seq,
                    pulling(levers::DropReruns{rerun->candidate}),
                    rerun->shapes.empty()
                        ? pulling(levers::Rerun{rerun->candidate, rerun->repeats, rerun->against, {}, rerun->device})
                        : std::function<void()>());
                if (!isQuickResult(m_run, *rerun)) {
                    m_list.last().done = tr("%1 is measured again in its turn").arg(nameOfCandidate(rerun->candidate));
                    continue;
                }
                m_list.last().done = tr("Asked for a quick result of %1").arg(nameOfCandidate(rerun->candidate));
                m_list.last().now = tr("It comes once the device is free.");
                m_list.last().then = tr("It waits for your word as before.");
            }
    }

    void marks()
    {
        for (const auto& [id, held] : m_run.marks) {
            if (held.empty())
                continue;
            m_list.put({u"mark %1"_s.arg(id.value), lastMarkWords(m_run, id), {}, held.back().seq, {},
                pulling(levers::UndoMark{id}), pulling(levers::Mark{id, held.back().marks}),
                marksThenWords(m_run, id)});
            m_list.last().now = bestAfterMark(m_run, id);
            m_list.last().done = lastMarkDone(m_run, id);
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
            m_list.put({u"template %1"_s.arg(order->seq), named(words), {}, order->seq, {},
                [&door = m_door, island = order->island, name = text(order->name)] { door.undoTemplate(island, name); },
                isTakenAway ? takingAway(*order) : savingAgain(*order)});
            m_list.last().done = named(isTakenAway ? tr("Took away version %1 of the template %2 for %3")
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
        m_list.put({u"insights %1"_s.arg(held.size()), tr("the change of your part of what the run has learned"), {},
            changedAt({}, "your insights", "written"), {}, writing(held[held.size() - 2]), writing(held.back())});
        m_list.last().done = tr("Changed your part of what the run has learned");
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

    TakeBackList list() && { return std::move(m_list); }

private:
    void setting(const SettingUndo::Entry& entry)
    {
        m_list.putAsTold({keyOfSetting(entry.number), entry.words, entry.why, entry.seq, entry.isEarlier,
            [&undo = m_undo, number = entry.number] { undo.undo(number); }, m_undo.again(entry.number), entry.then});
        m_list.last().isRecorded = !entry.isKept;
        m_list.last().now = entry.now;
        m_list.last().isPace = entry.isPace;
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
    void add(const QString& kind, std::int64_t number, const QString& words, const QString& why, std::int64_t seq,
        std::function<void()> back, std::function<void()> again = {})
    {
        m_list.put({u"%1 %2"_s.arg(kind).arg(number), words, why, seq, {}, std::move(back), std::move(again)});
    }

    TakeBackList m_list;
    SettingUndo& m_undo;
    quint64 m_policyTold = 0; ///< the change of the policy that is told with what it let through
    const RunState& m_run;
    Session& m_session;
    EngineDoor& m_door;
};

TakeBackList collected(const Desk& desk, SettingUndo& undo)
{
    Collector all(desk, undo);
    all.putAway(); // of what has the same place in the run, it came later
    all.words();
    all.written();
    all.levers();
    all.wishes();
    all.places();
    all.reruns();
    all.marks();
    all.templates();
    all.insights();
    all.settings();
    return std::move(all).list();
}

} // namespace

QString keyOfSetting(quint64 number) { return u"setting %1"_s.arg(number); }

std::vector<TakeBack> takeBacks(const Desk& desk, SettingUndo& undo) { return collected(desk, undo).newestFirst(); }

std::vector<TakeBack> takeBacksAndOver(const Desk& desk, SettingUndo& undo)
{
    return collected(desk, undo).newestFirstAndOver();
}

} // namespace tilewright::ui
