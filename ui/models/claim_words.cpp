// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/claim_words.h"

#include "core/prompt/prompt_statistics.h"
#include "ui/models/format.h"
#include "ui/theme/words.h"

#include <cmath>

namespace tilewright::ui {

QString claimText(const std::string& claim)
{
    const auto ratio = claimedRatio(claim);
    return ratio ? signedPercent(*ratio) : text(claim).simplified();
}

namespace {

constexpr double asMeasured = 0.0005, far = 1; ///< as fractions: what is no difference, and what needs no figure

} // namespace

bool claimsTooMuch(const ClaimRecord& claims)
{
    return claims.measured >= enoughForAMean && claims.medianExcess >= asMeasured;
}

QString pastClaimsWords(const ClaimRecord& claims)
{
    if (claims.measured == 0)
        return {};
    const QString all = grouped(claims.measured);
    if (claims.measured < enoughForAMean)
        return tr("%1 measured, too few for a median").arg(all);
    const double apart = std::abs(claims.medianExcess);
    if (apart < asMeasured)
        return tr("as measured, median of %1").arg(all);
    const QString distance
        = apart < far ? QString::number(100 * apart, 'f', 1) : tr("more than %1").arg(std::llround(100 * far));
    return (claimsTooMuch(claims) ? tr("%1 percentage points too much, median of %2")
                                  : tr("%1 percentage points too little, median of %2"))
        .arg(distance, all);
}

} // namespace tilewright::ui
