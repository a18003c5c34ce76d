// SPDX-License-Identifier: GPL-3.0-or-later
// What a person ordered in the session that is open and can take back, or could but for a reason. What is over for good
// is none of it. A value; made over a snapshot on the GUI thread.
#pragma once

#include "ui/session/desk.h"
#include "ui/session/setting_undo.h"

#include <functional>
#include <vector>

namespace tilewright::ui {

struct TakeBack {
    QString key; ///< the same order keeps it
    QString words; ///< "the approval of c-0012"
    QString why; ///< it cannot be taken back now; empty where it can
    std::int64_t seq = 0; ///< of the event that told of it, as near as is known
    bool isEarlier = false; ///< it was ordered before this window opened the session: by whom, nobody knows
    std::function<void()> back;
    /// Orders it once more after it was taken back; null where that takes the person's hands.
    std::function<void()> again = {};
    QString then = {}; ///< what holds after it was taken back, a sentence, where that is not plain
    std::vector<CandidateId> waitAgain = {}; ///< of a word on candidates: those that wait for another one then
    QString now = {}; ///< what holds because of it, a sentence, where that is not plain
    bool isRecorded = true; ///< the run tells of it
    QString done = {}; ///< "Approved c-0012"; empty where words alone say it
    bool isPace = false; ///< that the run goes on, pauses or stops
};

inline constexpr std::size_t mostTakeBacks = 200;

/// The key of SettingUndo's step of that number.
QString keyOfSetting(quint64 number);

/// The newest first. The session and the undo must outlive what is called of it.
std::vector<TakeBack> takeBacks(const Desk& desk, SettingUndo& undo);

/// The same, and among them what was ordered in this window last of what is over for good: carried out and measured. It
/// cannot be taken back, and says why.
std::vector<TakeBack> takeBacksAndOver(const Desk& desk, SettingUndo& undo);

} // namespace tilewright::ui
