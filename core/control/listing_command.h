// SPDX-License-Identifier: GPL-3.0-or-later
// The one command that is answered later: the listing of a candidate, made by the node of the program that runs the
// session. `tilewright-cli listing` says it.
#pragma once

#include "core/engine/engine.h"

namespace tilewright {

constexpr const char* listingCommand = "listing";

/// Asks for what {"do": "listing", "candidates": ["c-0012"], "form": "ptx"} says. The answer comes on the engine's
/// thread: {"ok": true, "listing": {…}}, or a refusal as obey() gives.
void answerListing(
    Engine& engine, const nlohmann::json& request, const std::function<void(const nlohmann::json&)>& answer);

} // namespace tilewright
