// SPDX-License-Identifier: GPL-3.0-or-later
// A run of any length, made in memory: islands, parents, crossovers, migrations, failures. Its figures are made up.
#pragma once

#include "core/model/run_state.h"

namespace tilewright::bench {

RunState longRun(int candidates, std::uint64_t seed);

} // namespace tilewright::bench
