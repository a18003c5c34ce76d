// SPDX-License-Identifier: GPL-3.0-or-later
// What a person tells whoever is asked for edits, from the command line: --hint TEXT, --hint B=TEXT.
#pragma once

#include "app/cli/options.h"

#include "core/base/ids.h"
#include "core/base/result.h"

namespace tilewright::cli {

/// TEXT and *=TEXT are for all islands (id 0), B=TEXT is for island B of `islands`; several for one are its lines, and
/// an empty text behind the sign takes its hints away (""). Errors: usage (a hint longer than a prompt can bear, an
/// island that the run does not have).
Result<std::map<IslandId, std::string>> hintsOf(const Options& options, int islands);

/// One line on standard error for each: whose it is and what it says, without keys that this proposer uses.
void tellHints(const std::map<IslandId, std::string>& hints, const std::string& proposer);

} // namespace tilewright::cli
