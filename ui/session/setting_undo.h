// SPDX-License-Identifier: GPL-3.0-or-later
// Takes changes of a run's settings back, newest first: budgets, who proposes, what waits for a person and how much of
// it, hints. Whoever changed them: this window or a command from outside. GUI thread.
#pragma once

#include "ui/session/session.h"

#include <vector>

namespace tilewright::ui {

class SettingUndo : public QObject
{
    Q_OBJECT

public:
    explicit SettingUndo(Session& session, QObject* parent = nullptr);
    bool canUndo() const;
    /// "Undo: the budget was changed"; empty where nothing can be taken back.
    QString words() const;
    void undo();

Q_SIGNALS:
    void changed();

private:
    enum class What { Budget, Proposer, Policy, Limit, Hints };
    struct Step {
        What what;
        RunSettings before;
    };
    static constexpr What all[] = {What::Budget, What::Proposer, What::Policy, What::Limit, What::Hints};

    static bool isSame(What what, const RunSettings& one, const RunSettings& other);
    void look();
    void send(What what, const RunSettings& wanted) const;

    Session& m_session;
    RunSettings m_known;
    bool m_isKnown = false; ///< of the session that is open
    std::vector<Step> m_steps;
    std::vector<Step> m_sent; ///< what was asked for by undo() and has not come yet
};

} // namespace tilewright::ui
