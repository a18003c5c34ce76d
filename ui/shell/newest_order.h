// SPDX-License-Identifier: GPL-3.0-or-later
// One key for what was ordered last, whatever it was: it is taken back and said, or said why it is not. Another orders
// it once more, as long as nothing was ordered since. GUI thread.
#pragma once

#include "ui/shell/take_back.h"

namespace tilewright::ui {

class MessageBar;

class NewestOrder
{
public:
    NewestOrder(const Desk& desk, SettingUndo& undo, MessageBar& messages);
    /// Gives those that wait for another word then.
    std::vector<CandidateId> takeBack();
    /// That one, if it still can be; else it is said why not.
    void take(const QString& key);
    /// Orders once more what was taken back last.
    void redo();
    /// A person has just ordered something by a key or a menu: once the run tells of it, it is said, with a button that
    /// takes it back.
    void awaitNext();
    /// The same of what is built first, which may take minutes.
    void awaitBuilt();
    void awaitNothing() { m_awaited.reset(); } ///< it was refused
    void tellNext(); ///< after each snapshot
    /// Says that these are taken back, by their keys: somebody else does it.
    void tellTakenBack(const QStringList& keys);
    /// The newest of the settings, as SettingUndo::undo().
    void takeBackSetting();

private:
    struct TakenBack {
        QString words;
        std::function<void()> again; ///< as TakeBack::again
        std::size_t orders = 1; ///< that it makes
        bool isRecorded = true; ///< as TakeBack::isRecorded
    };

    void remember(TakenBack order);
    /// Which session is open, and its newest event when it was opened.
    using Opening = std::pair<std::string, std::int64_t>;
    Opening opening() const;
    /// Beside what was ordered once more.
    bool wasOrderedSince() const;
    /// The newest that can be taken back. Null, and told, where there is none, and the first time that a newer one
    /// stands in its way.
    const TakeBack* newest();
    /// Names the older one, and offers it.
    void tellBlocked(const TakeBack& newest, const TakeBack& older);
    void take(const TakeBack& order); ///< which can be
    /// Of a word on several: some of them wait for it still.
    bool isUnderWay(const TakeBack& order) const;
    /// What was ordered in a session that is not open any more is neither awaited nor offered.
    void forgetWhatIsOfAnother();
    /// Somebody else took back what is offered still, or it was carried out.
    void seeWhetherItStands();
    QString whereTheOthersAre() const;
    void say(const QString& words, const QString& hint);

    Desk m_desk;
    SettingUndo& m_undo;
    MessageBar& m_messages;
    enum class Time { First, OnceMore };
    struct Awaited {
        std::int64_t seq = 0; ///< the run's newest event when it was ordered
        int snapshots = 0; ///< that may come and not tell of it
        Time time = Time::First;
        Opening opening = {}; ///< of which session it is
    };
    std::optional<Awaited> m_awaited;
    quint64 m_said = 0; ///< its message that was shown last
    struct Offered {
        QString key, words; ///< of the order
        std::int64_t seq = 0; ///< its event
        std::size_t changes = 0; ///< of the run, when it was looked at last
        Opening opening = {}; ///< of which session it is
    };
    std::optional<Offered> m_offered; ///< by that message
    std::vector<TakeBack> m_all; ///< as looked at last
    std::vector<TakenBack>
        m_takenBack; ///< of the session that is open, what can be ordered once more; the last at the end
    Opening m_opening; ///< which session that is, and its newest event when it was opened
    std::int64_t m_seq = 0; ///< the run's newest event when one was taken back or ordered once more last
    std::size_t m_redone = 0; ///< orders since then that were ordered once more
    std::pair<Opening, QString>
        m_past; ///< of which session, the order that cannot be taken back, which was said: older ones go before it
    std::pair<QString, std::int64_t>
        m_taken; ///< its key and the run's newest event then: it is still listed until told
};

} // namespace tilewright::ui
