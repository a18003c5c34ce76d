// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/setting_undo.h"

#include "core/engine/proposing.h"
#include "core/model/review_undo.h"
#include "core/model/run_change.h"
#include "core/model/spent_budget.h"
#include "ui/models/format.h"
#include "ui/widgets/sentence.h"

#include <algorithm>
#include <set>
#include <utility>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

SettingUndo::SettingUndo(Session& session, QObject* parent)
    : QObject(parent)
    , m_session(session)
{
    connect(&session, &Session::replaced, this, [this] {
        m_isKnown = false;
        std::erase_if(m_steps, [](const Step& step) { return step.what != What::Kept; });
        m_sent.clear();
        Q_EMIT changed();
    });
    connect(&session, &Session::changed, this, [this] { look(); });
}

namespace {

/// An island whose own policy says what that of all says is as one without: what is set for all replaces both.
bool isSamePolicy(const RunSettings& one, const RunSettings& other)
{
    return one.review == other.review || changesBetween(one.review, other.review, mostIslands).empty();
}

} // namespace

bool SettingUndo::isSame(What what, const RunSettings& one, const RunSettings& other)
{
    switch (what) {
    case What::Budget:
        return one.budget == other.budget;
    case What::Proposer:
        return one.proposer == other.proposer;
    case What::Policy:
        return isSamePolicy(one, other);
    case What::Limit:
        return one.reviewLimit == other.reviewLimit;
    case What::Hints:
        return one.hints == other.hints;
    case What::Kept:
    case What::Passing:
        break;
    }
    return true;
}

namespace {

QString limitOf(const RunSettings& settings)
{
    return settings.reviewLimit > 0 ? QString::number(settings.reviewLimit) : SettingUndo::tr("any number");
}

/// Number of the event by which settings changed: what a change of the policy lets through comes after it.
std::int64_t firstChangeAfter(const RunState& run, std::int64_t seq)
{
    std::int64_t first = run.lastSeq;
    for (std::size_t i = run.changes.size(); i > 0 && run.changes[i - 1].seq > seq; --i)
        if (run.changes[i - 1].isOfSettings)
            first = run.changes[i - 1].seq;
    return first;
}

} // namespace

void SettingUndo::look()
{
    const Snapshot& now = m_session.snapshot();
    if (!now.status.sessionOpen || now.status.opening)
        return;
    const RunSettings& settings = now.run.settings;
    const RunSettings before = std::exchange(m_known, settings);
    const std::int64_t seenBefore = std::exchange(m_knownSeq, now.run.lastSeq);
    if (!std::exchange(m_isKnown, true))
        return lookBack();
    bool isNew = false;
    for (const What what : all) {
        if (isSame(what, before, settings))
            continue;
        isNew = true;
        const auto own = std::ranges::find_if(
            m_sent, [&](const Step& step) { return step.what == what && isSame(what, step.before, settings); });
        if (own != m_sent.end())
            m_sent.erase(own);
        else
            m_steps.push_back({what, before, ++m_last, firstChangeAfter(now.run, seenBefore)});
    }
    if (isNew)
        Q_EMIT changed();
}

void SettingUndo::lookBack()
{
    const RunState& run = m_session.run();
    std::vector<Step> earlier;
    for (std::size_t i = 0; i < run.settingsBefore.size(); ++i) {
        const SettingsBefore& before = run.settingsBefore[i];
        const RunSettings& then = i + 1 < run.settingsBefore.size() ? run.settingsBefore[i + 1].settings : run.settings;
        const auto change = std::find_if(run.changes.begin(), run.changes.end(),
            [&before](const RunChange& each) { return each.seq == before.seq; });
        for (const What what : all)
            if (!isSame(what, before.settings, then) && change != run.changes.end())
                earlier.push_back(
                    {what, before.settings, ++m_last, before.seq, QString::fromStdString(lineOf(*change)), {}, true});
    }
    m_steps.insert(m_steps.begin(), earlier.begin(), earlier.end()); // what was put away since stays the newest
    if (!earlier.empty())
        Q_EMIT changed();
}

std::vector<SettingUndo::Step>::const_iterator SettingUndo::newest() const
{
    const EngineStatus& status = m_session.snapshot().status;
    const bool isWritable = status.sessionOpen && !status.readOnly;
    const auto found = std::find_if(m_steps.rbegin(), m_steps.rend(),
        [isWritable](const Step& step) { return !step.isEarlier && (step.isBesideTheRun() || isWritable); });
    return found == m_steps.rend() ? m_steps.end() : std::prev(found.base());
}

bool SettingUndo::canUndo() const { return newest() != m_steps.end(); }

quint64 SettingUndo::add(const QString& words, std::function<void()> back)
{
    m_steps.push_back({What::Kept, {}, ++m_last, m_session.run().lastSeq, words, std::move(back)});
    Q_EMIT changed();
    return m_last;
}

quint64 SettingUndo::add(const Passing& done)
{
    m_steps.push_back({What::Passing, {}, ++m_last, m_session.run().lastSeq, done.words, done.back, false, done.again,
        done.then, done.isPace});
    Q_EMIT changed();
    return m_last;
}

void SettingUndo::drop(quint64 number)
{
    if (std::erase_if(m_steps, [number](const Step& step) { return step.number == number; }) > 0)
        Q_EMIT changed();
}

QString SettingUndo::words() const { return canUndo() ? tr("Undo: %1").arg(wordsOf(*newest())) : QString(); }

const RunSettings& SettingUndo::after(const Step& step) const
{
    const auto later = std::ranges::find_if(
        m_steps, [&step](const Step& each) { return each.what == step.what && each.number > step.number; });
    return later == m_steps.end() ? m_known : later->before;
}

/// "the change of the review policy of island B, models, from “Automatic” to “Every edit”"; first of all, where that
/// was changed.
QString SettingUndo::wordsOfPolicy(const Step& step) const
{
    const RunSettings& now = after(step);
    QStringList all;
    for (const auto& change : changesBetween(step.before.review, now.review, m_session.run().islandCount())) {
        const ReviewPolicies from = policiesOf(step.before.review, change.island);
        const QString before = change.proposer ? ui::words(from.of(*change.proposer)) : ui::words(from);
        const QString island = ui::text(islandLetter(change.island));
        const QString kind = change.proposer ? ui::words(*change.proposer).toLower() : QString();
        all << (!change.island && !change.proposer ? tr("the change of the review policy from “%1” to “%2”")
                : !change.island   ? tr("the change of the review policy of %3 from “%1” to “%2”")
                : !change.proposer ? tr("the change of the review policy of island %3 from “%1” to “%2”")
                                   : tr("the change of the review policy of island %3, %4, from “%1” to “%2”"))
                   .arg(before, ui::words(change.policy));
        for (const QString& part : {island, kind})
            if (!part.isEmpty())
                all.back() = all.back().arg(part);
    }
    return all.isEmpty() ? tr("the change of the review policy") : all.join(u", "_s);
}

/// "manual:DIR" is a person, wherever the prompts are put.
static QString calledProposer(const std::string& name)
{
    const ProposerWords words = wordsOfProposer(name);
    return words.kind == "manual" && !words.with.empty() ? SettingUndo::tr("manual, in a folder") : ui::text(name);
}

QString SettingUndo::wordsOf(const Step& step) const
{
    if (step.isEarlier)
        return step.words;
    switch (step.what) {
    case What::Budget:
        return tr("the change of the budget from %1 to %2")
            .arg(ui::text(wordsOfBudget(step.before.budget)), ui::text(wordsOfBudget(after(step).budget)));
    case What::Proposer:
        return tr("the change of who proposes from %1 to %2")
            .arg(calledProposer(step.before.proposer), calledProposer(after(step).proposer));
    case What::Policy:
        return wordsOfPolicy(step);
    case What::Limit:
        return tr("the change of how many may wait from %1 to %2").arg(limitOf(step.before), limitOf(after(step)));
    case What::Hints:
        return tr("the change of hints");
    case What::Kept:
    case What::Passing:
        break;
    }
    return step.words;
}

std::vector<SettingUndo::Entry> SettingUndo::entries() const
{
    const EngineStatus& status = m_session.snapshot().status;
    const bool isWritable = status.sessionOpen && !status.readOnly;
    std::vector<Entry> all;
    std::set<What> later; // kinds of what was changed after it
    for (auto step = m_steps.rbegin(); step != m_steps.rend(); ++step) {
        // A step holds the whole of what was before: one that is not the newest of its kind would take both back.
        const bool isNewest = step->isBesideTheRun() || later.insert(step->what).second;
        const QString why = !step->isBesideTheRun() && !isWritable ? tr("the session is only looked at")
            : isNewest                                             ? whyNot(*step)
                                                                   : tr("a later change of the same comes first");
        all.push_back({step->number, wordsOf(*step), why, step->seq, step->what == What::Policy, step->isBesideTheRun(),
            step->isEarlier, step->then, isNewest ? nowWith(*step) : QString(), step->isPace});
    }
    return all;
}

/// A budget below what is spent already ends the run.
QString SettingUndo::nowWith(const Step& step) const
{
    if (step.what != What::Budget || step.isEarlier)
        return {};
    const Snapshot& now = m_session.snapshot();
    return asSentences(ui::text(spentAlready(spentBy(now.run, now.status.runNs), now.run.settings.budget)), {});
}

void SettingUndo::undo()
{
    if (canUndo() && whyNotNow().isEmpty())
        takeBack(newest());
}

QString SettingUndo::whyNotNow() const { return canUndo() ? whyNot(*newest()) : QString(); }

QString SettingUndo::whyNot(const Step& step) const
{
    if (step.what != What::Policy)
        return {};
    const RunState& run = m_session.run();
    std::size_t through = 0; // a candidate stands on one island
    for (IslandId island{1}; island.value <= run.islandCount(); ++island.value)
        through += letThroughByPolicies(run, island, step.before.reviewPoliciesOf(island)).size();
    if (through == 0)
        return {};
    return counted(static_cast<std::int64_t>(through), tr("%1 edit that waits would be approved unread"),
               tr("%1 edits that wait would be approved unread"))
        + tr("; choose the policy in Review, which asks");
}

bool SettingUndo::has(quint64 number) const
{
    return std::ranges::find(m_steps, number, &Step::number) != m_steps.end();
}

std::function<void()> SettingUndo::again(quint64 number) const
{
    const auto step = std::ranges::find(m_steps, number, &Step::number);
    if (number == 0 || step == m_steps.end() || step->isBesideTheRun())
        return step == m_steps.end() ? std::function<void()>() : step->again;
    // A policy that asks less than the one before would approve what waits by then: its own box asks.
    const std::int64_t islands = step->what == What::Policy ? m_session.run().islandCount() : -1;
    for (IslandId island{}; island.value <= islands; ++island.value)
        for (const ProposerKind kind : proposerKinds)
            if (m_known.reviewPolicyOf(island, kind) < step->before.reviewPolicyOf(island, kind))
                return {};
    return [this, what = step->what, wanted = m_known] { send(what, wanted); };
}

void SettingUndo::undo(quint64 number)
{
    const auto step = std::ranges::find(std::as_const(m_steps), number, &Step::number);
    if (number > 0 && step != m_steps.end() && whyNot(*step).isEmpty())
        takeBack(step);
}

void SettingUndo::takeBack(std::vector<Step>::const_iterator place)
{
    const Step step = *place;
    m_steps.erase(place);
    if (step.back)
        step.back();
    else if (!isSame(step.what, step.before, m_known)) {
        m_sent.push_back(step);
        send(step.what, step.before);
    }
    Q_EMIT changed();
}

void SettingUndo::sendPolicy(const RunSettings& wanted) const
{
    for (const auto& change : changesBetween(m_known.review, wanted.review, m_session.run().islandCount()))
        m_session.door().setReviewPolicy(change.scope(), change.policy);
}

void SettingUndo::send(What what, const RunSettings& wanted) const
{
    EngineDoor& door = m_session.door();
    switch (what) {
    case What::Budget:
        return door.setBudget(wanted.budget);
    case What::Proposer:
        return door.setProposer(QString::fromStdString(wanted.proposer));
    case What::Policy:
        sendPolicy(wanted);
        return;
    case What::Limit:
        return door.setReviewLimit(wanted.reviewLimit);
    case What::Hints:
        for (IslandId island{}; island.value <= m_session.run().islandCount(); ++island.value) {
            const auto text = [island](const RunSettings& settings) {
                const auto held = settings.hints.find(island);
                return held == settings.hints.end() ? std::string() : held->second;
            };
            if (text(wanted) != text(m_known))
                door.setHints(island, QString::fromStdString(text(wanted)));
        }
        return;
    case What::Kept:
    case What::Passing:
        return; // comes back by itself
    }
}

} // namespace tilewright::ui
