// SPDX-License-Identifier: GPL-3.0-or-later
// What an edit was said to gain, in the same words wherever it stands. Pure.
#pragma once

#include "core/model/claim.h"

#include <QString>
#include <string>

namespace tilewright::ui {

/// "+8.0 %" where the claim is one number for all shapes, however its author wrote it; else the author's words.
QString claimText(const std::string& claim);

/// How an author's claims stood up: "10.0 percentage points too much, median of 7"; how many there are where they are
/// too few for a median (enoughForAMean); empty of none.
QString pastClaimsWords(const ClaimRecord& claims);
/// By a median that there are enough for.
bool claimsTooMuch(const ClaimRecord& claims);

} // namespace tilewright::ui
