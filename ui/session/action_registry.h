// SPDX-License-Identifier: GPL-3.0-or-later
// Every command of the window, once: menus, toolbar, finder and the shortcut page are made from it. GUI thread.
#pragma once

#include <QAction>
#include <QKeySequence>
#include <QString>
#include <map>
#include <vector>

namespace tilewright::ui {

struct ActionSpec {
    QString id; ///< "run.pause": group and name
    QString text, icon;
    QKeySequence shortcut;
    QString tip;
    bool checkable = false;
    QKeySequence whileWriting = {}; ///< one more, for where letters are written
};

class ActionRegistry : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    /// The action belongs to the registry. An id that is there already is a programming error.
    QAction* add(const ActionSpec& spec);
    /// Null for an unknown id.
    QAction* find(const QString& id) const;
    /// For ids that are known to exist.
    QAction& operator[](const QString& id) const;
    /// What it does, whether it can be done now or not; "" where its text says all.
    QString purposeOf(const QString& id) const;
    /// Why it cannot be done now, in its tooltip in place of what it does; empty: what it does.
    void giveReason(const QString& id, const QString& reason);
    /// That reason; "" where none was given.
    QString reasonOf(const QString& id) const;
    /// Other words by which it is found, with blanks between them.
    void giveWords(const QString& id, const QString& words);
    /// Whether a user may mean it by this: a part of its text, however that ends, or beginnings of its
    /// other words.
    bool isMeantBy(const QAction& action, const QString& wanted) const;
    const std::vector<QAction*>& all() const { return m_actions; }
    /// One line for each shortcut, id or text that two actions claim.
    QStringList conflicts() const;

private:
    std::vector<QAction*> m_actions;
    std::map<QString, QString> m_purposes;
    std::map<QString, QString> m_tips; ///< of those that have a reason now
    std::map<QString, QString> m_words; ///< other words for them
};

} // namespace tilewright::ui
