// SPDX-License-Identifier: GPL-3.0-or-later
// What came of a reply: the candidates that its edits became, and why others were refused. Pure.
#pragma once

#include "core/model/run_state.h"

#include <vector>

namespace tilewright {

/// One edit that a reply holds.
struct EditOutcome {
    ProposalId proposal;
    int part = 0; ///< as Proposal::part
    CandidateId candidate; ///< that it became, or that was there before with the same program; none: refused
    bool isDuplicate = false; ///< the candidate was there before
    std::string rule, detail; ///< why it was refused
    bool isWithdrawn = false; ///< the user took it back before it was measured
    ModelRequestId askedAgain; ///< the request to repair it; none
    bool isOver = true; ///< nothing more comes of it by itself

    bool operator==(const EditOutcome&) const = default;
};

struct ReplyOutcome {
    ModelRequestId modelRequest;
    std::vector<EditOutcome> edits;
    std::string rule, detail; ///< why no edit was read at all

    bool operator==(const ReplyOutcome&) const = default;
    bool isOver() const;
};

/// Of requests for edits that were answered: newest first, at most so many. Empty: of all proposers.
std::vector<ReplyOutcome> replyOutcomes(const RunState& state, std::string_view proposer, std::size_t most);

/// "became c-0076", "duplicate of c-0012", "refused, patch/ambiguous: …": without what was measured.
std::string describe(const EditOutcome& edit);
/// How the candidate stands: "building", "better than c-0070, 1.92× [1.90, 1.94] baseline, confirmed",
/// "refused, verify/poison: …"; "" for a candidate that the run does not know.
std::string standingOf(const RunState& state, CandidateId candidate);
/// Both, one line an edit: the text of a result file.
std::string describe(const RunState& state, const ReplyOutcome& outcome);

// How well the patches of each proposer apply: what a screen shows as its clean-patch rate. Pure.

/// Replies of one proposer. Those that never reached the applier (no answer, no parent) are not among them.
struct PatchTally {
    std::int64_t clean = 0; ///< applied as they were
    std::int64_t mended = 0; ///< applied after repairs
    std::int64_t refused = 0;

    bool operator==(const PatchTally&) const = default;
    std::int64_t tried() const { return clean + mended + refused; }
    /// Fraction of clean ones; none before the first.
    std::optional<double> cleanRate() const;
};

/// By proposer, and by "proposer/model" where an answer says which model it was.
std::map<std::string, PatchTally> patchTallies(const RunState& state);
/// By who made the proposal, as authorOf() names them: what statistics by model are grouped by.
std::map<std::string, PatchTally> patchTalliesByAuthor(const RunState& state);

} // namespace tilewright
