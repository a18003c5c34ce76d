// SPDX-License-Identifier: GPL-3.0-or-later
// How the islands of a new session are steered, from the command line: --steer B:focus=tune.
#pragma once

#include "app/cli/options.h"

#include "core/base/result.h"
#include "core/model/island_steering.h"

#include <map>

namespace tilewright::cli {

/// ISLAND:WHAT=WORD, several times; what and word as 'tilewright-cli control island' takes them. Errors: usage (not of
/// that form, or no letter of an island), island/value.
Result<std::map<IslandId, IslandSteering>> steeringOf(const Options& options);

} // namespace tilewright::cli
