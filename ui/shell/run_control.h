// SPDX-License-Identifier: GPL-3.0-or-later
// Run, pause and stop: each is reported with what holds then, and can be undone until it holds no more by itself; the
// run's record has no inverse of them. GUI thread; owned by the window.
#pragma once

#include "ui/shell/undo_controller.h"

namespace tilewright::ui {

class RunControl : public QObject
{
    Q_OBJECT

public:
    RunControl(const ViewContext& context, UndoController& undo, MessageBar& messages, QObject* parent);
    void pause();
    void pauseAndCancel();
    void stop();
    void goOn();

private:
    enum class Pace { None, Pause, Stop, GoOn };

    static bool holds(Pace pace, const EngineStatus& status);
    /// In place of the one before, which is over.
    void order(Pace pace, const Command& command, const QString& description, const QString& afterUndo);
    void say(const QString& words, const QString& hint);
    void forget();
    void follow();
    void tell();

    ViewContext m_context;
    UndoController& m_undo;
    MessageBar& m_messages;
    Pace m_pace = Pace::None; ///< commanded last, as long as it holds or is to come
    bool m_isReached = false; ///< it holds
    bool m_isFirst = false; ///< nothing of the run was there before
    std::int64_t m_entry = 0; ///< of the undo controller
    quint64 m_message = 0;
};

} // namespace tilewright::ui
