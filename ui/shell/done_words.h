// SPDX-License-Identifier: GPL-3.0-or-later
// What a person ordered, named, and said as done: "the approval of c-0012", "Approved c-0012". Pure.
#pragma once

#include "core/model/run_state.h"

#include <QString>

namespace tilewright::ui {

/// "the approval of c-0012", "the approval of 3 edits"
QString reviewWords(const Review& word, std::size_t count);
QString reviewDone(const Review& word, std::size_t count); ///< on so many at once
QString wishDone(const Wish& wish);
QString leverDone(const IslandLever& lever);
/// What becomes of what is under way, once the newest lever is taken back; empty where that is nothing.
QString leverThen(const RunState& run, const IslandLever& lever);

} // namespace tilewright::ui
