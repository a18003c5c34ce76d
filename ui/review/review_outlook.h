// SPDX-License-Identifier: GPL-3.0-or-later
// Why nothing waits for a person, what will, and how much of it may. Pure.
#pragma once

#include "ui/models/first_result.h"

namespace tilewright::ui {

/// Two or three sentences, a line each. Until the seed is measured: what the run does with it, how long that takes if
/// it is known, and what comes then. `earlier` as firstResultWords() takes it.
QString whyNothingWaits(const Snapshot& snapshot, const std::vector<SessionStart>& earlier);

/// The first sentence of it, for a place that is narrow.
QString nothingWaits(const Snapshot& snapshot);

/// How many edits may wait, and what happens then; of islands with so many, that it has happened. "" where none asks.
QString limitWords(const RunState& run);

} // namespace tilewright::ui
