// SPDX-License-Identifier: GPL-3.0-or-later
// Why nothing waits for a user, what will, and how much of it may. Pure.
#pragma once

#include "ui/models/first_result.h"

namespace tilewright::ui {

/// Two or three sentences, a line each. Until the seed is measured: what the run does with it, how long that takes if
/// it is known, and what comes then. `earlier` as firstResultWords() takes it.
QString whyNothingWaits(const Snapshot& snapshot, const std::vector<SessionStart>& earlier);

/// The first sentence of it, for a place that is narrow.
QString nothingWaits(const Snapshot& snapshot);

/// How many edits may wait, and what happens then; of islands with so many, that it has happened; and why they are
/// fewer than the settings say. "" where none asks.
QString limitWords(const RunState& run);

/// How many may wait in a new run where every edit does, and why, as far as that is fewer than the limit; "" else.
QString waitingAtFirst(std::int64_t evaluations, int islands, int limit);

} // namespace tilewright::ui
