// SPDX-License-Identifier: GPL-3.0-or-later
// When the first result of a run can be expected, in words. A time stands there only where it was earned: by earlier
// sessions on the same shapes and device, or by what the seed of this very run took. Pure.
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

    bool operator==(const SessionStart&) const = default;
};
SessionStart startOf(const RunState& run, const Task& task);

/// Nothing has a score yet, or the seed alone.
bool isFirstGeneration(const RunState& run);

/// "First result in about 40 s" and on what this stands; how it comes about where no time is known. Empty where the
/// run has more than its seed, or does not go on.
QString firstResultWords(const Snapshot& snapshot, const std::vector<SessionStart>& earlier);

} // namespace tilewright::ui
