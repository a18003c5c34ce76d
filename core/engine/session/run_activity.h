// SPDX-License-Identifier: GPL-3.0-or-later
// What a run does now: the one place that says whether it runs, waits, is blocked or rests. The window's toolbar and
// status line, the progress of a terminal and 'control status' show this. Pure.
#pragma once

#include "core/engine/snapshot.h"
#include "core/model/run_state.h"

namespace tilewright {

/// Waiting: nothing is built or measured before something arrives. Blocked: nothing is before a review is decided.
enum class Activity { None, Created, Running, Waiting, Blocked, Pausing, Paused, Finished, Stopped };
/// What a run waits for.
enum class Awaited { Nothing, Prompts, Replies, Reviews, Machine, Device, Node };
std::string nameOf(Activity activity);
std::string nameOf(Awaited awaited);

struct RunActivity {
    Activity activity = Activity::None;
    Awaited awaits = Awaited::Nothing;
    std::int64_t count = 0; ///< of prompts, replies or reviews; 0 for others

    bool operator==(const RunActivity&) const = default;
    bool isHeldUp() const { return activity == Activity::Waiting || activity == Activity::Blocked; }
};

/// None without a session, and of one that is only looked at while another program runs it.
RunActivity activityOf(const Snapshot& snapshot);
/// "running", "waiting: 4 prompts", "blocked: 8 reviews", "paused".
std::string describe(const RunActivity& activity);
/// {"state", "waits_for", "count", "text"}
nlohmann::json toJson(const RunActivity& activity);

// What a run that was cut off kept. Pure.

/// "Recovered 312 evaluations, 1 was incomplete.": those with a result, as everything else counts them, and what was
/// under way. Empty where nothing was lost.
std::string wordsOfRecovery(const RunState& state);

} // namespace tilewright
