// SPDX-License-Identifier: GPL-3.0-or-later
// What a person orders that the record keeps no order of: that the run pauses, stops or goes on, and whom others are
// compared with. Each is said, with what holds then, and taken back by the same key as any other order, until it holds
// no more by itself. GUI thread; owned by the window.
#pragma once

#include "ui/session/desk.h"

#include <functional>

namespace tilewright::ui {

class MessageBar;
class SettingUndo;

class PassingOrders : public QObject
{
    Q_OBJECT

public:
    /// takeBack: the order of that key, as TakeBack::key, and says so.
    PassingOrders(const Desk& desk, SettingUndo& undo, MessageBar& messages,
        std::function<void(const QString& key)> takeBack, QObject* parent);
    void pause();
    void pauseAndCancel();
    void stop();
    void goOn();

private:
    enum class Pace { None, Pause, Stop, GoOn };

    static bool holds(Pace pace, const EngineStatus& status);
    void order(Pace pace, const QString& words, const QString& then, std::function<void()> again);
    void say(const QString& words, const QString& hint);
    void forget();
    void follow();
    void tellPace();
    void tellReference(CandidateId now);
    void compareWith(CandidateId candidate);

    Desk m_desk;
    SettingUndo& m_undo;
    MessageBar& m_messages;
    std::function<void(const QString&)> m_takeBack;
    Pace m_pace = Pace::None; ///< ordered last, as long as it holds or is to come
    bool m_isReached = false; ///< it holds
    bool m_isFirst = false; ///< nothing of the run was there before
    quint64 m_step = 0, m_message = 0; ///< of the pace
    CandidateId m_reference;
    bool m_isTakingBack = false; ///< a reference
};

} // namespace tilewright::ui
