// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/setting_undo.h"

#include "core/model/review_undo.h"
#include "ui/models/format.h"

#include <algorithm>
#include <set>

namespace tilewright::ui {

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

bool SettingUndo::isSame(What what, const RunSettings& one, const RunSettings& other)
{
    switch (what) {
    case What::Budget:
        return one.budget == other.budget;
    case What::Proposer:
        return one.proposer == other.proposer;
    case What::Policy:
        return one.review == other.review;
    case What::Limit:
        return one.reviewLimit == other.reviewLimit;
    case What::Hints:
        return one.hints == other.hints;
    case What::Kept:
        break;
    }
    return true;
}

namespace {

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
        return;
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

std::vector<SettingUndo::Step>::const_iterator SettingUndo::newest() const
{
    const EngineStatus& status = m_session.snapshot().status;
    const bool isWritable = status.sessionOpen && !status.readOnly;
    const auto found = std::find_if(m_steps.rbegin(), m_steps.rend(),
        [isWritable](const Step& step) { return step.what == What::Kept || isWritable; });
    return found == m_steps.rend() ? m_steps.end() : std::prev(found.base());
}

bool SettingUndo::canUndo() const { return newest() != m_steps.end(); }

quint64 SettingUndo::add(const QString& words, std::function<void()> back)
{
    m_steps.push_back({What::Kept, {}, ++m_last, m_session.run().lastSeq, words, std::move(back)});
    Q_EMIT changed();
    return m_last;
}

QString SettingUndo::words() const { return canUndo() ? tr("Undo: %1").arg(wordsOf(*newest())) : QString(); }

QString SettingUndo::wordsOf(const Step& step) const
{
    switch (step.what) {
    case What::Budget:
        return tr("the budget was changed");
    case What::Proposer:
        return tr("who proposes was changed");
    case What::Policy:
        return tr("the review policy was changed");
    case What::Limit:
        return tr("how many may wait was changed");
    case What::Hints:
        return tr("hints were changed");
    case What::Kept:
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
        const bool isNewest = step->what == What::Kept || later.insert(step->what).second;
        const QString why = step->what != What::Kept && !isWritable ? tr("the session is only looked at")
            : isNewest                                              ? whyNot(*step)
                                                                    : tr("a later change of the same comes first");
        all.push_back({step->number, wordsOf(*step), why, step->seq});
    }
    if (!status.sessionOpen || status.opening)
        return all;
    const Chunked<RunChange>& changes = m_session.run().changes;
    for (std::size_t i = changes.size(); i > 0; --i)
        if (const RunChange& change = changes[i - 1]; change.isOfSettings && change.seq <= m_session.openedAt())
            all.push_back(
                {0, QString::fromStdString(lineOf(change)), tr("of an earlier opening; set it anew"), change.seq});
    return all;
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
        through += letThroughBy(run, island, step.before.reviewPolicyOf(island)).size();
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
    if (number == 0 || step == m_steps.end() || step->what == What::Kept)
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

void SettingUndo::send(What what, const RunSettings& wanted) const
{
    EngineDoor& door = m_session.door();
    switch (what) {
    case What::Budget:
        return door.setBudget(wanted.budget);
    case What::Proposer:
        return door.setProposer(QString::fromStdString(wanted.proposer));
    case What::Policy:
        // The word for all first: it may take those of single islands with it.
        for (const bool ofAll : {true, false})
            for (IslandId island{}; island.value <= m_session.run().islandCount(); ++island.value)
                if ((island == IslandId{}) == ofAll && wanted.reviewPolicyOf(island) != m_known.reviewPolicyOf(island))
                    door.setReviewPolicy(island, wanted.reviewPolicyOf(island));
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
        return; // comes back by itself
    }
}

} // namespace tilewright::ui
