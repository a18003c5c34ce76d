// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/action_registry.h"

#include "ui/theme/theme.h"

#include <QMap>
#include <algorithm>

namespace tilewright::ui {

QAction* ActionRegistry::add(const ActionSpec& spec)
{
    Q_ASSERT(!find(spec.id));
    auto* action = new QAction(spec.text, this);
    action->setObjectName(spec.id);
    action->setShortcut(spec.shortcut);
    if (!spec.whileWriting.isEmpty())
        action->setShortcuts({spec.shortcut, spec.whileWriting});
    action->setCheckable(spec.checkable);
    action->setIcon(icon(spec.icon, Tint::Secondary));
    QString plain = spec.text;
    plain.remove(QLatin1Char('&'));
    const QString keys = QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText);
    const QString tip = spec.tip.isEmpty() ? plain : spec.tip;
    action->setToolTip(keys.isEmpty() ? tip : tip + QStringLiteral(" (%1)").arg(keys));
    action->setStatusTip({});
    m_purposes[spec.id] = spec.tip == plain ? QString() : spec.tip;
    m_actions.push_back(action);
    return action;
}

QString ActionRegistry::purposeOf(const QString& id) const
{
    const auto known = m_purposes.find(id);
    return known == m_purposes.end() ? QString() : known->second;
}

void ActionRegistry::giveReason(const QString& id, const QString& reason)
{
    QAction& action = (*this)[id];
    const auto [tip, isNew] = m_tips.try_emplace(id, action.toolTip());
    action.setToolTip(reason.isEmpty() ? tip->second : reason);
    if (reason.isEmpty())
        m_tips.erase(tip);
}

QString ActionRegistry::reasonOf(const QString& id) const
{
    return m_tips.contains(id) ? (*this)[id].toolTip() : QString();
}

void ActionRegistry::giveWords(const QString& id, const QString& words)
{
    Q_ASSERT_X(find(id), "ActionRegistry", qPrintable(id));
    m_words[id] = words;
}

bool ActionRegistry::isMeantBy(const QAction& action, const QString& wanted) const
{
    const auto plain = [](QString words) {
        return words.remove(QLatin1Char('&')).remove(QChar(0x2026)).remove(QStringLiteral("...")).simplified();
    };
    const QString sought = plain(wanted), name = plain(action.text());
    if (name.contains(sought, Qt::CaseInsensitive))
        return true;
    const auto words = m_words.find(action.objectName());
    const QStringList known = (name + QLatin1Char(' ') + (words == m_words.end() ? QString() : words->second))
                                  .split(QLatin1Char(' '), Qt::SkipEmptyParts);
    const auto isKnown = [&known](const QString& one) {
        return std::ranges::any_of(
            known, [&one](const QString& word) { return word.startsWith(one, Qt::CaseInsensitive); });
    };
    return std::ranges::all_of(sought.split(QLatin1Char(' '), Qt::SkipEmptyParts), isKnown);
}

QAction* ActionRegistry::find(const QString& id) const
{
    for (QAction* action : m_actions)
        if (action->objectName() == id)
            return action;
    return nullptr;
}

QAction& ActionRegistry::operator[](const QString& id) const
{
    QAction* action = find(id);
    Q_ASSERT_X(action, "ActionRegistry", qPrintable(id));
    return *action;
}

QStringList ActionRegistry::conflicts() const
{
    QStringList found;
    QMap<QString, QString> keys, ids;
    for (const QAction* action : m_actions) {
        const QString id = action->objectName();
        if (ids.contains(id))
            found << QStringLiteral("two actions are called %1").arg(id);
        ids.insert(id, id);
        for (const QKeySequence& sequence : action->shortcuts()) {
            const QString text = sequence.toString(QKeySequence::PortableText);
            if (keys.contains(text))
                found << QStringLiteral("%1 is claimed by %2 and %3").arg(text, keys.value(text), id);
            keys.insert(text, id);
        }
    }
    return found;
}

} // namespace tilewright::ui
