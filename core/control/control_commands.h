// SPDX-License-Identifier: GPL-3.0-or-later
// What can be said to a running session from outside: one JSON object a command, one an answer. The table of commands
// is the one place that knows them; the command line's help is made from it.
#pragma once

#include "core/engine/engine.h"

#include <nlohmann/json.hpp>
#include <vector>

namespace tilewright {

struct ControlCommand {
    const char* name; ///< "approve"
    const char*
        arguments; ///< "CANDIDATE...", as help shows them; one word a placeholder, more than one where it ends so
    const char* summary;
    const char* options = ""; ///< "--count --text": all that it takes, but --json
};

/// All commands, in the order of help.
const std::vector<ControlCommand>& controlCommands();

/// Does what {"do": NAME, …} says on the engine's thread. Fields: candidates ["c-0012", …], reason, text, policy,
/// island "B", budget {evaluations, wall_s, tokens, cost_micro_usd}, words ["pause", "B"] and interval (of island and
/// migration), tag, weight, count, repeats, against "c-0012", event 512 (of undo). The answer has ok; where it is false
/// also code, text and hint, and failed [{candidate, code, text}] where several were named.
nlohmann::json obey(Engine& engine, const nlohmann::json& request);

} // namespace tilewright
