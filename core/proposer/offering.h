// SPDX-License-Identifier: GPL-3.0-or-later
// What the built-in proposers share: from a request to the parent's text, and from a finished variation to an offer in
// the primary reply form. Pure.
#pragma once

#include "core/proposer/proposer.h"
#include "core/proposer/variation.h"

namespace tilewright {

/// The first parent as a variation without edits. Errors: proposer/parent.
Result<Variation> variationOf(CandidateId parent, const ProposerView& view);

/// Its program is not in the run yet.
bool isNew(const Variation& variation, const RunState& state);

/// The variation as a reply that edits the parent's text; claim says what it is expected to do.
Offer offerOf(
    const Variation& variation, const std::string& parentText, const std::string& sourceName, const std::string& claim);

} // namespace tilewright
