// SPDX-License-Identifier: GPL-3.0-or-later
// A user's word on a candidate before its full measurement: what waits for it, why, and what was decided.
#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/model/requests/proposer_kind.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

using ReviewId = Id<struct ReviewTag>;

/// Which candidates of an island and of a kind of proposer wait: none, the risky ones, all.
enum class ReviewPolicy { Automatic, Risky, Every };
std::string nameOf(ReviewPolicy policy);
std::optional<ReviewPolicy> reviewPolicyFromName(std::string_view name);

/// What a policy is set for: one island or all of them (id 0), one kind of proposer or all of them (none).
struct PolicyScope {
    PolicyScope(IslandId whose = {}, std::optional<ProposerKind> kind = {})
        : island(whose)
        , proposer(kind)
    {
    }
    IslandId island;
    std::optional<ProposerKind> proposer;

    bool operator==(const PolicyScope&) const = default;
    bool includes(IslandId one, ProposerKind kind) const
    {
        return (!island || island == one) && (!proposer || *proposer == kind);
    }
};

/// What becomes of edits that wait when a policy comes that does not ask about them.
enum class WhatWaits { Approved, Stays };

/// Edits of an island that may wait for a user where nothing was said.
inline constexpr int usualReviewLimit = 8;
/// The largest limit that can be set; more would keep no island from anything.
inline constexpr int maxReviewLimit = 10'000;

/// Waiting and Deferred still wait. Edited: another candidate was made in its place.
enum class Decision { Waiting, Deferred, Approved, Edited, Rejected };
std::string nameOf(Decision decision);

/// One question to the user about one candidate. After an undo the same candidate is asked about anew.
struct Review {
    ReviewId id;
    CandidateId candidate;
    std::vector<std::string> risks; ///< in words; empty where everything waits
    /// What building and checking told: resources {…}, warnings ["static/…"], passed [rules], log and artifact (hashes,
    /// hex).
    nlohmann::json facts;
    Decision decision = Decision::Waiting;
    std::string by; ///< "user", or "policy" when the island's policy let it through later
    std::string reason; ///< of a rejection; a remark else
    CandidateId edited; ///< what was made in its place
    bool undone = false;
    std::string askedAtUtc; ///< ISO 8601
    std::int64_t decidedSeq = 0; ///< of the event that brought the word; 0: none has come
    bool continued = false; ///< as events::Reviewed::continued

    bool operator==(const Review&) const = default;
    bool isWaiting() const { return decision == Decision::Waiting || decision == Decision::Deferred; }
};

struct RunState;
struct LogLine;

namespace events {
/// From here on the island (id 0: every island, and those to come) has this policy, for all kinds of proposers or for
/// one.
struct ReviewPolicyChanged {
    IslandId island;
    ReviewPolicy policy = ReviewPolicy::Automatic;
    std::optional<ProposerKind> proposer = {};
    bool continued = false; ///< recorded by the same command as the change before it
    bool undo = false; ///< it undoes the newest change of review policies that stands
    PolicyScope scope() const { return {island, proposer}; }
    bool operator==(const ReviewPolicyChanged&) const = default;
};
/// From here on so many edits of an island may wait for a user: with them it asks for no further ones. 0: no limit.
struct ReviewLimitChanged {
    int perIsland = usualReviewLimit;
    bool undo = false; ///< it undoes the newest change of the limit that stands
    bool operator==(const ReviewLimitChanged&) const = default;
};
/// An island that had waited for a user goes on: it catches up on no turn that the others took meanwhile.
struct TurnsWaived {
    IslandId island;
    bool operator==(const TurnsWaived&) const = default;
};
/// A candidate that built and passed its first check waits for a user's word.
struct ReviewAsked {
    ReviewId id;
    CandidateId candidate;
    std::vector<std::string> risks;
    nlohmann::json facts; ///< as Review::facts
    bool operator==(const ReviewAsked&) const = default;
};
/// The word: approved goes on to the device, edited and rejected are over, deferred waits behind the others.
struct Reviewed {
    ReviewId id;
    Decision decision = Decision::Approved;
    std::string by, reason;
    CandidateId edited;
    bool continued = false; ///< recorded by the same command as the decision before it
    bool operator==(const Reviewed&) const = default;
};
/// The word was taken back before anything was measured; a new question follows.
struct ReviewUndone {
    ReviewId id;
    bool operator==(const ReviewUndone&) const = default;
};
/// A candidate is the first of the run to use something of the hardware: "wgmma", "thread block clusters".
struct FeatureUsed {
    CandidateId candidate;
    std::string feature;
    bool operator==(const FeatureUsed&) const = default;
};
} // namespace events

/// What apply() in run_state.h does for each, and what the log says of it (severity, candidate, text); errors as there.
Result<LogLine> applyReview(RunState& state, const events::ReviewPolicyChanged& event);
Result<LogLine> applyReview(RunState& state, const events::ReviewLimitChanged& event);
/// atUtc: when it was asked, ISO 8601.
Result<LogLine> applyReview(RunState& state, const events::ReviewAsked& event, const std::string& atUtc);
Result<LogLine> applyReview(RunState& state, const events::Reviewed& event);
Result<LogLine> applyReview(RunState& state, const events::ReviewUndone& event);
Result<LogLine> applyReview(RunState& state, const events::FeatureUsed& event);

} // namespace tilewright
