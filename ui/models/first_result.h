// SPDX-License-Identifier: GPL-3.0-or-later
// When the first result of a run, which is that of its seed, can be expected, in words. A time stands there only where
// it was earned by earlier sessions of the same task on the same shapes and device. Pure.
#pragma once

#include "core/engine/snapshot.h"

#include <QString>
#include <vector>

namespace tilewright::ui {

/// How soon a session had its first results, and what another one must share with it to be as fast.
struct SessionStart {
    std::string task, device, shapes; ///< id of the task, name of the device, listWords() of the shapes
    std::string proposer; ///< who was asked to begin with, without a file: "model", "mutator"
    std::int64_t seedNs = 0; ///< run time until the seed was measured; 0: it never was
    std::int64_t firstNs = 0; ///< run time until the first candidate that was proposed had a score; 0: none had
    std::string host; ///< the computer: another one builds and checks at another pace, be its device of the same name

    bool operator==(const SessionStart&) const = default;
};
SessionStart startOf(const RunState& run, const Task& task);

/// Nothing has a score yet, not even the seed.
bool isBeforeFirstResult(const RunState& run);

/// "First result in about 40 s" and on what this stands. Empty where no time is known.
QString firstResultIn(const Snapshot& snapshot, const std::vector<SessionStart>& earlier);
/// The same; where no time is known what goes on instead: "Building the seed, for 12 s". Empty where the run has a
/// result, or does not go on.
QString firstResultWords(const Snapshot& snapshot, const std::vector<SessionStart>& earlier);

} // namespace tilewright::ui
