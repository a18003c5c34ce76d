// SPDX-License-Identifier: GPL-3.0-or-later
// How well the patches of each proposer apply: what a screen shows as its clean-patch rate. Pure.
#pragma once

#include "core/model/run_state.h"

namespace tilewright {

/// Replies of one proposer. Those that never reached the applier (no answer, no parent) are not among them.
struct PatchTally {
    std::int64_t clean = 0; ///< applied as they were
    std::int64_t mended = 0; ///< applied after repairs
    std::int64_t refused = 0;

    bool operator==(const PatchTally&) const = default;
    std::int64_t tried() const { return clean + mended + refused; }
    /// Fraction of clean ones; none before the first.
    std::optional<double> cleanRate() const;
};

/// By proposer, and by "proposer/model" where an answer says which model it was.
std::map<std::string, PatchTally> patchTallies(const RunState& state);
/// By who made the proposal, as authorOf() names them: what statistics by model are grouped by.
std::map<std::string, PatchTally> patchTalliesByAuthor(const RunState& state);

} // namespace tilewright
