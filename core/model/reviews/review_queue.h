// SPDX-License-Identifier: GPL-3.0-or-later
// How many edits of an island wait for a user's word, and whether that keeps it from proposing more: the one place of
// this rule. Pure.
#pragma once

#include "core/model/run_state.h"

#include <optional>
#include <string_view>
#include <vector>

namespace tilewright {

/// Whether it is measured without a question: a user let it through, or wrote it.
bool needsNoWord(const RunState& state, const Candidate& candidate);

/// Those that wait for a user's word, in the order in which they are read: as they were first asked about, the
/// deferred ones behind the others.
std::vector<const Review*> reviewsInOrder(const RunState& state);

/// Edits of the island that wait for a user's word, the deferred ones too.
std::int64_t waitingOn(const RunState& state, IslandId island);

/// Islands for which a policy decides something, in the order of their letters: those that live, and those that ended
/// while edits of theirs wait.
std::vector<IslandId> islandsWithPolicy(const RunState& state);

/// How many edits of the island may wait; 0: any number, or it does not ask. No more than the run's settings say. Where
/// all edits wait and the budget counts evaluations, no more than the island's share of a quarter of those that are
/// left, but one: else a small budget is spent on edits of the seed before the user has said a word.
std::int64_t reviewLimitOn(const RunState& state, IslandId island);

/// How many may wait on the island, or on the first one (id 0), where they are fewer than the run's settings say; else
/// none.
std::optional<std::int64_t> lowerLimitOn(const RunState& state, IslandId island);

/// The same of the first one, and why: "2 in force on an island, not 20: …"; "" where what was set is in force.
std::string wordsOfLowerLimit(const RunState& state);

/// One island's part of what may wait, of so many evaluations that are left and so many islands where all edits wait:
/// 1 to `most`.
std::int64_t shareThatWaits(std::int64_t left, std::int64_t islands, std::int64_t most);

/// As many wait on the island as the run lets wait there: it asks for no further edit until a user decides on some.
bool waitsForPerson(const RunState& state, IslandId island);

/// All that do, of those that would take turns.
std::vector<IslandId> islandsThatWait(const RunState& state);

/// No island takes a turn that does not wait so.
bool everyIslandWaits(const RunState& state);

/// Whether the island may ask for one more edit, with so many requests of its under way that the state does not know.
/// What is on its way to the gate counts as if it would wait there, so that no more wait than may; a reply that holds
/// several edits can exceed it by those, and where only risky edits wait, what is on its way can exceed the share of
/// the budget.
bool mayPropose(const RunState& state, IslandId island, std::int64_t pending);
/// Whether this kind of proposer may be asked on the island: as mayPropose(), for one kind of its mix.
bool mayAsk(const RunState& state, IslandId island, ProposerKind kind);

/// What a user should know of an island that waits for them: "blocked: 8 pending reviews"; "" for others.
std::string wordsOfWaiting(const RunState& state, IslandId island);

// Which kinds of proposers the review policies of an island are about. Pure.

/// The kind of proposer whose policy decides on the candidate. What no kind offered is judged as a manual reply.
ProposerKind reviewKindOf(const RunState& state, const Candidate& candidate);
ReviewPolicy reviewPolicyOf(const RunState& state, const Candidate& candidate);

/// The kinds that generate edits on the island: those of its own mix, else what the session asks.
std::vector<ProposerKind> kindsAskedOn(const RunState& state, IslandId island);
/// The strictest policy of these.
ReviewPolicy strictestPolicyOn(const RunState& state, IslandId island);

inline constexpr const char* byPolicy = "policy"; ///< who said a word: not a user, but what they set

/// The candidate that goes on because of a user's word and is being measured, or was: the word can no longer be taken
/// back. Null while it can.
const Candidate* measuredAfter(const RunState& state, const Review& review);

/// Why, as the user put it in the word on this candidate that was taken back last; "" unless it waits again.
std::string reasonUndone(const RunState& state, CandidateId candidate);

/// Those of the scope that wait now and that the policy would let through.
std::vector<CandidateId> letThroughBy(const RunState& run, const PolicyScope& scope, ReviewPolicy policy);
/// Those of the island (id 0: of all) that wait now and that the policies would let through.
std::vector<CandidateId> letThroughByPolicies(const RunState& run, IslandId island, const ReviewPolicies& policies);

// Candidates that a user edited under review, and what was put in their place: the one place of these words. Pure.

/// The rule of a candidate that is over because a user edited it: nobody rejected it.
inline constexpr std::string_view ruleOfEdited = "review/edited";

inline bool isEditedByPerson(const Candidate& candidate) { return candidate.rule == ruleOfEdited; }

/// The candidate that a user put in this one's place; none where nobody did, or it was taken back.
CandidateId editedInto(const RunState& state, const Candidate& candidate);
/// The candidate in whose place a user wrote this one; none for others.
CandidateId editedFrom(const RunState& state, const Candidate& candidate);

/// The review that was asked for about this very program; null for others, as for one that a user wrote in another's
/// place: it stands under the word on that other one, whose facts are not its own.
const Review* ownReview(const RunState& state, const Candidate& candidate);

/// "edited into c-0031" of the first, "edited from c-0030" of the second; "" for others.
std::string wordsOfEdit(const RunState& state, const Candidate& candidate);

} // namespace tilewright
