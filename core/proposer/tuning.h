// SPDX-License-Identifier: GPL-3.0-or-later
// How many versions of a program are measured before the search goes on (core/model/tuning_record.h). Pure.
#pragma once

#include "core/model/tuning_record.h"

#include <string_view>

namespace tilewright {

/// Assignments of the text's tunables that its `// require:` lines allow, that of the text included. Counted up to
/// `most`.
std::int64_t legalAssignments(std::string_view text, std::int64_t most = 1 << 14);

/// Versions to try at most: `most` (RunSettings::tuning), and no more than a third of the legal ones, but three.
std::int64_t tuningBudget(std::int64_t legal, int most);
/// Whether no further version will be made: the budget is used, the tuner knows none, or as many in a row as
/// half of it, at least eight, were no better.
bool isTuned(const TuningRecord& record, std::int64_t legal, int most);
/// Whether a further version is to be made now: not while two wait for their measurements, which the tuner learns from.
bool wantsVersion(const TuningRecord& record, std::int64_t legal, int most);

} // namespace tilewright
