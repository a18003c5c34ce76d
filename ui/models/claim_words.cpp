// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/claim_words.h"

#include "core/model/claim.h"
#include "ui/models/format.h"
#include "ui/theme/words.h"

namespace tilewright::ui {

QString claimText(const std::string& claim)
{
    const auto ratio = claimedRatio(claim);
    return ratio ? signedPercent(*ratio) : text(claim).simplified();
}

} // namespace tilewright::ui
