// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/claim.h"

#include "core/base/text.h"
#include "core/model/claim_statements.h"
#include "core/model/parent_change.h"
#include "core/model/requests/conversation.h"

#include <algorithm>

namespace tilewright {

std::optional<double> claimedRatio(std::string_view claim)
{
    const std::string plain = plainClaim(claim);
    for (std::size_t begin = 0; begin < plain.size();) {
        const std::size_t end = std::min(plain.find_first_of(",;\n", begin), plain.size());
        if (const auto ratio = speedRatioIn(trimmed(std::string_view(plain).substr(begin, end - begin))))
            return ratio;
        begin = end + 1;
    }
    return std::nullopt;
}

std::vector<ShapeClaim> shapeClaims(std::string_view claim)
{
    std::vector<ShapeClaim> claims;
    const auto claimOf = [&claims](const std::vector<Shape>& shapes, double ratio) {
        for (const Shape& shape : shapes)
            if (std::ranges::find(claims, shape, &ShapeClaim::shape) == claims.end())
                claims.push_back({shape, ratio});
    };
    std::vector<Shape> waiting; // "512³ and 1024³ gain 5 %": its figure comes later
    std::optional<double> last; // "5 % on 512³ and 1024³": its figure came before
    for (const ClaimPart& part : claimPartsOf(plainClaim(claim))) {
        const bool isList = part.rest.empty() && !part.shapes.empty();
        const auto ratio = isList ? last : part.shapes.empty() ? std::nullopt : speedRatioIn(part.rest);
        if (isList && !ratio)
            waiting.insert(waiting.end(), part.shapes.begin(), part.shapes.end());
        if (ratio) {
            claimOf(waiting, *ratio);
            claimOf(part.shapes, *ratio);
        }
        if (!isList || ratio)
            waiting.clear();
        last = ratio;
    }
    return claims;
}

ClaimRecord claimRecordOf(const RunState& run, std::string_view author)
{
    std::vector<double> excess;
    for (const Candidate& candidate : run.candidates) {
        if (candidate.migrated || !candidate.isRanked())
            continue;
        const Proposal* proposal = run.proposal(candidate.proposal);
        if (!proposal || proposal->claim.empty() || authorOf(run, *proposal) != author)
            continue;
        const auto claimed = claimedRatio(proposal->claim);
        const auto change = claimed ? versusParent(run, candidate) : std::nullopt;
        if (change)
            excess.push_back(*claimed - change->ratio.value);
    }
    ClaimRecord record;
    record.measured = static_cast<std::int64_t>(excess.size());
    if (excess.empty())
        return record;
    std::ranges::sort(excess);
    const std::size_t middle = excess.size() / 2;
    record.medianExcess = excess.size() % 2 ? excess[middle] : (excess[middle - 1] + excess[middle]) / 2;
    return record;
}

} // namespace tilewright
