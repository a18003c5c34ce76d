// SPDX-License-Identifier: GPL-3.0-or-later
// What a person ordered in the session that is open and can take back, or could but for a reason. What is over for good
// is none of it. A value; made over a snapshot on the GUI thread.
#pragma once

#include "ui/session/desk.h"
#include "ui/session/setting_undo.h"

#include <functional>
#include <optional>
#include <vector>

namespace tilewright::ui {

struct TakeBack {
    QString key; ///< the same order keeps it
    QString words; ///< "c-0012 was approved"
    QString why; ///< it cannot be taken back now; empty where it can
    std::int64_t seq = 0; ///< of the event that told of it, as near as is known
    bool isEarlier = false; ///< it was ordered before this window opened the session: by whom, nobody knows
    std::function<void()> back;
    /// Orders it once more after it was taken back; null where that takes the person's hands.
    std::function<void()> again = {};
};

inline constexpr std::size_t mostTakeBacks = 200;

/// The change of the policy that let this word through, and is to be taken back with it: the newest of this person's,
/// and nothing that waits is approved by that. None else.
std::optional<SettingUndo::Entry> policyChangeWith(const SettingUndo& undo, const Review& word);
/// "the review policy was changed from “Every edit” to “Automatic”, with 3 edits that it approved"
QString policyWords(const SettingUndo::Entry& change, std::size_t approved);

/// The newest first. The session and the undo must outlive what is called of it.
std::vector<TakeBack> takeBacks(const Desk& desk, SettingUndo& undo);
/// A person's word, or the policy's: "c-0012 was approved".
QString reviewWords(const Review& review);
/// Says it once more; null where that takes the person's hands.
std::function<void()> reviewAgain(EngineDoor& door, const Review& review);

} // namespace tilewright::ui
