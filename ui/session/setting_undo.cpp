// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/setting_undo.h"

#include <algorithm>

namespace tilewright::ui {

SettingUndo::SettingUndo(Session& session, QObject* parent)
    : QObject(parent)
    , m_session(session)
{
    connect(&session, &Session::replaced, this, [this] {
        m_isKnown = false;
        m_steps.clear();
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
        break;
    }
    return one.hints == other.hints;
}

void SettingUndo::look()
{
    const Snapshot& now = m_session.snapshot();
    if (!now.status.sessionOpen || now.status.opening)
        return;
    const RunSettings& settings = now.run.settings;
    const RunSettings before = std::exchange(m_known, settings);
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
            m_steps.push_back({what, before});
    }
    if (isNew)
        Q_EMIT changed();
}

bool SettingUndo::canUndo() const
{
    const EngineStatus& status = m_session.snapshot().status;
    return !m_steps.empty() && status.sessionOpen && !status.readOnly;
}

QString SettingUndo::words() const
{
    if (!canUndo())
        return {};
    switch (m_steps.back().what) {
    case What::Budget:
        return tr("Undo: the budget was changed");
    case What::Proposer:
        return tr("Undo: who proposes was changed");
    case What::Policy:
        return tr("Undo: the review policy was changed");
    case What::Limit:
        return tr("Undo: how many may wait was changed");
    case What::Hints:
        break;
    }
    return tr("Undo: hints were changed");
}

void SettingUndo::undo()
{
    if (!canUndo())
        return;
    const Step step = m_steps.back();
    m_steps.pop_back();
    if (!isSame(step.what, step.before, m_known)) {
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
    }
}

} // namespace tilewright::ui
