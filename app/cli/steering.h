// SPDX-License-Identifier: GPL-3.0-or-later
// How the islands of a new session search and are steered, which of their candidates wait for a review, and where
// migrants go between them, from the command line: --steer B:focus=tune --migration 'A>C,C>B'.
#pragma once

#include "app/cli/cli_options.h"
#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/model/islands/island_steering.h"
#include "core/model/reviews/review_policies.h"

#include <map>
#include <vector>

namespace tilewright::cli {

/// ISLAND:WHAT=WORD, several times; what and word as 'tilewright-cli control island' takes them. Errors: usage (not of
/// that form, or no letter of an island), island/value.
Result<std::map<IslandId, IslandSteering>> steeringOf(const Options& options, int islands);
/// --strategy, several times: NAME for all islands, ISLAND=NAME for one; empty where nothing is said. Errors: usage.
Result<std::vector<std::string>> strategiesOf(const Options& options, int islands);
/// As 'tilewright-cli control migration' takes it; a ring where nothing is said. Error: island/value.
Result<MigrationPlan> migrationOf(const Options& options);
/// --review, several times, as policyChangesIn() reads it; later ones change what earlier ones set. Error: usage.
Result<IslandPolicies> reviewOf(const Options& options, int islands);

// What a user tells whoever is asked for edits, from the command line: --hint TEXT, --hint B=TEXT.

/// TEXT and *=TEXT are for all islands (id 0), B=TEXT is for island B of `islands`; several for one are its lines, and
/// an empty text behind the sign takes its hints away (""). Errors: usage (a hint longer than a prompt can bear, an
/// island that the run does not have).
Result<std::map<IslandId, std::string>> hintsOf(const Options& options, int islands);

/// One line on standard error for each: whose it is and what it says, without keys that this proposer uses.
void tellHints(const std::map<IslandId, std::string>& hints, const std::string& proposer);

} // namespace tilewright::cli
