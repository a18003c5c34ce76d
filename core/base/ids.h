// SPDX-License-Identifier: Apache-2.0
// Strong identity types. Zero is "none"; ids of one run grow from 1.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace tilewright {

template <typename Tag> struct Id {
    std::int64_t value = 0;

    auto operator<=>(const Id&) const = default;
    explicit operator bool() const { return value != 0; }
};

using RunId = Id<struct RunTag>;
using IslandId = Id<struct IslandTag>; ///< 1 = island A
using ProposalId = Id<struct ProposalTag>;
using CandidateId = Id<struct CandidateTag>;
using EvaluationId = Id<struct EvaluationTag>;

/// "c-0287", the way candidates are named on screen and in JSON. The seed is c-0001.
std::string candidateName(CandidateId id);
/// The inverse of candidateName; none (zero) for anything else.
CandidateId candidateFromName(const std::string& name);
/// "A", "B", … "Z", "AA", …
std::string islandLetter(IslandId id);
/// The inverse of islandLetter; none (zero) for anything else.
IslandId islandFromLetter(std::string_view letters);
/// Islands that a run may have, those that ended included.
constexpr std::int64_t mostIslands = 64;

} // namespace tilewright

template <typename Tag> struct std::hash<tilewright::Id<Tag>> {
    std::size_t operator()(const tilewright::Id<Tag>& id) const noexcept { return std::hash<std::int64_t>{}(id.value); }
};
