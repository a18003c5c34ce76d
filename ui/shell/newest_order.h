// SPDX-License-Identifier: GPL-3.0-or-later
// One key for what was ordered last, whatever it was: it is taken back and said, or said why it is not. GUI thread.
#pragma once

#include "ui/shell/take_back.h"

namespace tilewright::ui {

class MessageBar;

class NewestOrder
{
public:
    NewestOrder(const Desk& desk, SettingUndo& undo, MessageBar& messages);
    void takeBack();
    /// Says which it is, with a button that takes it back: where something nearer was meant.
    void offer();

private:
    /// Null, and told, where nothing can be taken back now.
    const TakeBack* newest();
    void take(const TakeBack& order);
    QString whereTheOthersAre() const;

    Desk m_desk;
    SettingUndo& m_undo;
    MessageBar& m_messages;
    std::vector<TakeBack> m_all; ///< as looked at last
    std::pair<QString, std::int64_t>
        m_taken; ///< its key and the run's newest event then: it is still listed until told
};

} // namespace tilewright::ui
