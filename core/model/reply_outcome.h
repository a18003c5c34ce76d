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
    InquiryId askedAgain; ///< the request to repair it; none
    bool isOver = true; ///< nothing more comes of it by itself

    bool operator==(const EditOutcome&) const = default;
};

struct ReplyOutcome {
    InquiryId inquiry;
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

} // namespace tilewright
