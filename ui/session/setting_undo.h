// SPDX-License-Identifier: GPL-3.0-or-later
// Takes back what a person decided beside the candidates, newest first: changes of a run's settings (budgets, who
// proposes, what waits for a person and how much of it, hints), whoever made them, this window or a command from
// outside; what was put away of what the program keeps (layouts, views, recent sessions); and what the record does not
// tell of (a pause, a reference). GUI thread.
#pragma once

#include "ui/session/session.h"

#include <functional>
#include <vector>

namespace tilewright::ui {

class SettingUndo : public QObject
{
    Q_OBJECT

public:
    explicit SettingUndo(Session& session, QObject* parent = nullptr);
    bool canUndo() const;
    /// "Undo: the change of hints"; empty where nothing can be taken back.
    QString words() const;
    /// Nothing where whyNotNow() has words.
    void undo();
    /// Why the newest cannot be taken back now; empty where it can, or there is none.
    QString whyNotNow() const;
    /// Something was put away: "forgetting the layout “wide”", and how it comes back. Gives its number for undo().
    /// Stays when another session is opened.
    quint64 add(const QString& words, std::function<void()> back);
    /// What was done in the session that is open, and goes with it.
    struct Passing {
        QString words; ///< "the pause of the run"
        std::function<void()> back;
        std::function<void()> again; ///< does it once more
        QString then; ///< what holds once it was taken back, a sentence
        bool isPace = false; ///< that the run goes on, pauses or stops
    };
    quint64 add(const Passing& done);
    /// It holds no more, without having been taken back.
    void drop(quint64 number);
    /// That one, wherever it stands; nothing where it was taken back already.
    void undo(quint64 number);
    bool has(quint64 number) const;
    /// Sets what holds now of that one anew, after it was taken back; null for what was put away.
    std::function<void()> again(quint64 number) const;
    /// One of what can be taken back, or could but for `why`.
    struct Entry {
        quint64 number = 0;
        QString words; ///< "the change of hints"
        QString why; ///< it cannot be taken back now; empty where it can
        std::int64_t seq = 0; ///< of the session's newest event when it was seen
        bool isOfPolicy = false;
        bool isKept = false; ///< it was put away, or passes: beside the run's record
        bool isEarlier = false; ///< it was changed before this window opened the session
        QString then = {}; ///< as Passing::then
        QString now = {}; ///< what holds because of it, a sentence, where that is not plain
        bool isPace = false; ///< as Passing::isPace
    };
    /// Newest first.
    std::vector<Entry> entries() const;

Q_SIGNALS:
    void changed();

private:
    enum class What { Budget, Proposer, Policy, Limit, Hints, Kept, Passing };
    struct Step {
        What what;
        RunSettings before;
        quint64 number = 0;
        std::int64_t seq = 0;
        QString words = {}; ///< of what is kept: this and the following
        std::function<void()> back = {};
        bool isEarlier = false; ///< changed before this window opened the session: no key takes it back
        std::function<void()> again = {}; ///< of what passes: this and the following
        QString then = {};
        bool isPace = false;
        bool isBesideTheRun() const { return what == What::Kept || what == What::Passing; }
    };
    static constexpr What all[] = {What::Budget, What::Proposer, What::Policy, What::Limit, What::Hints};

    QString wordsOf(const Step& step) const;
    QString wordsOfPolicy(const Step& step) const;
    QString nowWith(const Step& step) const;
    /// What holds because of the step: what the next of its kind changed, or holds now.
    const RunSettings& after(const Step& step) const;
    /// What was changed before the session was opened, as its record has it.
    void lookBack();
    /// Why it cannot be taken back by a key: of a policy, where that would approve what waits, which the policy's own
    /// box asks about. Empty where it can.
    QString whyNot(const Step& step) const;
    /// The newest that can be taken back now; the end where there is none.
    std::vector<Step>::const_iterator newest() const;
    void takeBack(std::vector<Step>::const_iterator step);
    static bool isSame(What what, const RunSettings& one, const RunSettings& other);
    void look();
    void send(What what, const RunSettings& wanted) const;
    void sendPolicy(const RunSettings& wanted) const;

    Session& m_session;
    RunSettings m_known;
    std::int64_t m_knownSeq = 0; ///< the run's newest event then
    bool m_isKnown = false; ///< of the session that is open
    std::vector<Step> m_steps; ///< in the order in which they can be taken back, the last first
    quint64 m_last = 0;
    std::vector<Step> m_sent; ///< what was asked for by undo() and has not come yet
};

} // namespace tilewright::ui
