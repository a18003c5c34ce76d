// SPDX-License-Identifier: GPL-3.0-or-later
// From a reply's payloads to hunks that are worth placing. Pure.
#pragma once

#include "core/patch/hunk.h"
#include "core/patch/matching.h"
#include "core/patch/payload.h"

namespace tilewright::patch {

/// What was read, also where it was refused: a repair prompt shows it.
struct HunksRead {
    std::vector<Hunk> hunks;
    std::vector<Repair> repairs;
    std::optional<Refusal> refusal;
};

/// The hunks of all payloads, none of which holds a whole program. name: as applyReply. Refusals: TRUNCATED, MALFORMED,
/// OTHER_FILE, NO_DIFF, ELIDED_CODE, NO_CONTEXT, NO_CHANGE.
HunksRead readHunks(const std::vector<Payload>& payloads, std::string_view reply, std::string_view name,
    const PatchOptions& options, Matcher& matcher);

} // namespace tilewright::patch
