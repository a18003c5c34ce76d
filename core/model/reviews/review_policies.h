// SPDX-License-Identifier: GPL-3.0-or-later
// The review policies of a run, by island and kind of proposer. Pure.
#pragma once

#include "core/model/reviews/review.h"

#include <array>
#include <map>

namespace tilewright {

/// One policy for each kind of proposer.
class ReviewPolicies
{
public:
    ReviewPolicies() = default; ///< automatic for all kinds
    ReviewPolicies(ReviewPolicy policy) { m_policies.fill(policy); } ///< the same for all kinds

    ReviewPolicy of(ProposerKind kind) const { return m_policies[static_cast<std::size_t>(kind)]; }
    void set(std::optional<ProposerKind> proposer, ReviewPolicy policy); ///< none: for all kinds
    /// The policy that all kinds have, or none where they differ.
    std::optional<ReviewPolicy> common() const;
    /// Whether edits of some kind can wait.
    bool canAsk() const { return common() != ReviewPolicy::Automatic; }

    bool operator==(const ReviewPolicies&) const = default;

private:
    std::array<ReviewPolicy, proposerKinds.size()> m_policies{};
};

/// What a run in a window begins with: built-in proposers are automatic; of models, manual and recorded replies the
/// risky edits wait.
ReviewPolicies defaultReviewPolicies();
/// The name of these on the command line and in a request to a running session, beside those of ReviewPolicy.
inline constexpr std::string_view defaultReviewPoliciesName = "by-proposer";
/// "risky"; "automatic for mutator, tuner, random; risky for model, manual, replay".
std::string describe(const ReviewPolicies& policies);

/// By island; id 0 for those without an entry of their own.
using IslandPolicies = std::map<IslandId, ReviewPolicies>;
/// Automatic where nothing is set.
ReviewPolicies policiesOf(const IslandPolicies& all, IslandId island);
/// Sets the policy of a scope. Of all islands: entries of single islands change with it, or go where the scope is all
/// kinds.
void setPolicy(IslandPolicies& all, const PolicyScope& scope, ReviewPolicy policy);
/// The fewest changes that make `from` hold what `to` holds on islands 1 to `islands` and on those to come.
std::vector<events::ReviewPolicyChanged> changesBetween(
    const IslandPolicies& from, const IslandPolicies& to, std::int64_t islands);

/// "all islands"; "island B, proposer model".
std::string describe(const PolicyScope& scope);

/// Reads "risky", "model=every", "B:model=risky", "B:every" or "by-proposer". Errors: review/policy.
Result<std::vector<events::ReviewPolicyChanged>> policyChangesIn(std::string_view words);
/// The words that make these of automatic ones, as policyChangesIn() reads them.
std::vector<std::string> policyWords(const IslandPolicies& all, std::int64_t islands);

// Whom a review policy makes wait: the one place of this rule. Pure.

inline bool isAskedAbout(ReviewPolicy policy, const std::vector<std::string>& risks)
{
    return policy == ReviewPolicy::Every || (policy == ReviewPolicy::Risky && !risks.empty());
}

} // namespace tilewright
