// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/reviews/review_policies.h"

#include "core/base/names.h"
#include "core/base/text.h"
#include "core/model/event_names.h"

#include <algorithm>

namespace tilewright {
namespace {

constexpr NameTable<ProposerKind, proposerKinds.size()> kindNames{
    {{ProposerKind::Mutator, "mutator"}, {ProposerKind::Tuner, "tuner"}, {ProposerKind::Random, "random"},
        {ProposerKind::Model, "model"}, {ProposerKind::Manual, "manual"}, {ProposerKind::Replay, "replay"}}};

std::unexpected<Error> notRead(std::string_view words)
{
    return fail("review/policy", "the review policy '" + std::string(words) + "' cannot be read",
        "use automatic, risky, every or by-proposer; for one kind of proposer model=risky, for one island B:every or "
        "B:model=every");
}

/// The changes of one island, or of all (id 0), that make `held` the policies `wanted`.
std::vector<events::ReviewPolicyChanged> changesOf(
    IslandId island, const ReviewPolicies& held, const ReviewPolicies& wanted)
{
    if (held == wanted)
        return {};
    if (const auto common = wanted.common())
        return {{island, *common, {}}};
    std::vector<events::ReviewPolicyChanged> changes;
    for (const ProposerKind kind : proposerKinds)
        if (held.of(kind) != wanted.of(kind))
            changes.push_back({island, wanted.of(kind), kind});
    return changes;
}

} // namespace

std::string nameOf(ProposerKind kind) { return nameIn(kindNames, kind); }

bool readsPrompts(std::string_view proposer)
{
    const auto kind = proposerKindFromName(proposer);
    return kind == ProposerKind::Model || kind == ProposerKind::Manual;
}

std::optional<ProposerKind> proposerKindFromName(std::string_view name)
{
    return valueIn(kindNames, name.substr(0, name.find(':')));
}

void ReviewPolicies::set(std::optional<ProposerKind> proposer, ReviewPolicy policy)
{
    if (proposer)
        m_policies[static_cast<std::size_t>(*proposer)] = policy;
    else
        m_policies.fill(policy);
}

std::optional<ReviewPolicy> ReviewPolicies::common() const
{
    return std::ranges::all_of(m_policies, [this](ReviewPolicy each) { return each == m_policies.front(); })
        ? std::optional(m_policies.front())
        : std::nullopt;
}

ReviewPolicies defaultReviewPolicies()
{
    ReviewPolicies policies;
    for (const ProposerKind kind : {ProposerKind::Model, ProposerKind::Manual, ProposerKind::Replay})
        policies.set(kind, ReviewPolicy::Risky);
    return policies;
}

std::string describe(const ReviewPolicies& policies)
{
    if (const auto common = policies.common())
        return nameOf(*common);
    std::vector<std::string> parts;
    for (const auto& [policy, policyName] : reviewPolicyNames) {
        std::vector<std::string> kinds;
        for (const ProposerKind kind : proposerKinds)
            if (policies.of(kind) == policy)
                kinds.push_back(nameOf(kind));
        if (!kinds.empty())
            parts.push_back(std::string(policyName) + " for " + joined(kinds, ", "));
    }
    return joined(parts, "; ");
}

std::string describe(const PolicyScope& scope)
{
    return (scope.island ? "island " + islandLetter(scope.island) : std::string("all islands"))
        + (scope.proposer ? ", proposer " + nameOf(*scope.proposer) : "");
}

ReviewPolicies policiesOf(const IslandPolicies& all, IslandId island)
{
    for (const IslandId whose : {island, IslandId{}})
        if (const auto set = all.find(whose); set != all.end())
            return set->second;
    return {};
}

void setPolicy(IslandPolicies& all, const PolicyScope& scope, ReviewPolicy policy)
{
    if (!scope.island && !scope.proposer)
        all.clear();
    if (!scope.island)
        for (auto& [island, policies] : all)
            policies.set(scope.proposer, policy);
    ReviewPolicies changed = policiesOf(all, scope.island);
    changed.set(scope.proposer, policy);
    all[scope.island] = changed;
}

std::vector<events::ReviewPolicyChanged> changesBetween(
    const IslandPolicies& from, const IslandPolicies& to, std::int64_t islands)
{
    std::vector<events::ReviewPolicyChanged> all;
    IslandPolicies held = from;
    for (IslandId island{}; island.value <= islands; ++island.value)
        for (const auto& change : changesOf(island, policiesOf(held, island), policiesOf(to, island))) {
            setPolicy(held, {change.island, change.proposer}, change.policy);
            all.push_back(change);
        }
    return all;
}

Result<std::vector<events::ReviewPolicyChanged>> policyChangesIn(std::string_view words)
{
    events::ReviewPolicyChanged change;
    std::string_view rest = words;
    if (const auto colon = rest.find(':'); colon != std::string_view::npos) {
        change.island = islandFromLetter(std::string(rest.substr(0, colon)));
        if (!change.island)
            return notRead(words);
        rest.remove_prefix(colon + 1);
    }
    if (const auto equals = rest.find('='); equals != std::string_view::npos) {
        change.proposer = proposerKindFromName(rest.substr(0, equals));
        if (!change.proposer)
            return notRead(words);
        rest.remove_prefix(equals + 1);
    }
    if (rest == defaultReviewPoliciesName && !change.proposer) {
        std::vector<events::ReviewPolicyChanged> all{{change.island, ReviewPolicy::Automatic, {}}};
        for (auto& each : changesOf(change.island, {}, defaultReviewPolicies()))
            all.push_back(each);
        return all;
    }
    const auto policy = reviewPolicyFromName(rest);
    if (!policy)
        return notRead(words);
    change.policy = *policy;
    return std::vector{change};
}

std::vector<std::string> policyWords(const IslandPolicies& all, std::int64_t islands)
{
    std::vector<std::string> words;
    IslandPolicies held;
    if (policiesOf(all, {}) == defaultReviewPolicies()) {
        words.emplace_back(defaultReviewPoliciesName);
        held[IslandId{}] = defaultReviewPolicies();
    }
    for (const auto& change : changesBetween(held, all, islands))
        words.push_back((change.island ? islandLetter(change.island) + ":" : "")
            + (change.proposer ? nameOf(*change.proposer) + "=" : "") + nameOf(change.policy));
    return words;
}

} // namespace tilewright
