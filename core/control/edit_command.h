// SPDX-License-Identifier: GPL-3.0-or-later
// A user's text in a candidate's place, over the control socket: checked from the patch on and built before it is
// approved, and so answered later. `tilewright-cli control edit` says it, and
// `approve --source`.
#pragma once

#include "core/engine/engine.h"

namespace tilewright {

/// Whether it puts a text in a candidate's place: by the command 'edit', or by an approval that brings one.
bool isEdit(const nlohmann::json& request);

/// What {"do": "edit", "candidates": ["c-0012"], "text": …, "reason": …} asks for. The answer comes on the engine's
/// thread, as obey() gives it; {"ok": true, "unbuilt": "why"} where nobody could build the text beforehand. One that
/// does not build is refused with the compiler's first complaint, and the question stays open.
void answerEdit(
    Engine& engine, const nlohmann::json& request, const std::function<void(const nlohmann::json&)>& answer);

// The one command that is answered later: the listing of a candidate, made by the node of the program that runs the
// session. `tilewright-cli listing` says it.

constexpr const char* listingCommand = "listing";

/// Asks for what {"do": "listing", "candidates": ["c-0012"], "form": "ptx"} says. The answer comes on the engine's
/// thread: {"ok": true, "listing": {…}}, or a refusal as obey() gives.
void answerListing(
    Engine& engine, const nlohmann::json& request, const std::function<void(const nlohmann::json&)>& answer);

} // namespace tilewright
