// SPDX-License-Identifier: GPL-3.0-or-later
// Tries a successful edit on other programs: an edit that a model or a user wrote, and that made its program faster, is
// applied to the best programs of the islands that do not have it. Costs an evaluation and no reply. Crossover of edit
// lists as in genetic improvement (Langdon and Harman, "Optimizing Existing Software With Genetic Programming", 2015).
#pragma once

#include "core/evolve/islands.h"
#include "core/patch/patch.h"
#include "core/proposer/proposer.h"

namespace tilewright {

inline constexpr const char* recombinerName = "recombiner";

/// The program that `target` becomes by what turns `before` into `after`, with the diff; none where it does not fit
/// there to the letter, is there already, or breaks a `// require:` line. Tunables that the edit does not change keep
/// the values that they have in the target.
std::optional<PatchResult> carriedEdit(
    std::string_view before, std::string_view after, std::string_view target, std::string_view file);

/// Offers the edit of the request's second parent for the first one. Answers at once. Errors: proposer/parent,
/// proposer/exhausted (it does not fit).
class Recombiner final : public Proposer
{
public:
    std::string name() const override { return recombinerName; }
    void propose(const ProposalRequest& request, const ProposerView& view, Answer answer) override;
};

/// Which successful edits are still to be tried on other programs. Everything in it follows from the record.
class Recombinations
{
public:
    /// Newest successful edits that are kept in mind.
    static constexpr std::size_t kept = 16;

    void clear() { *this = {}; }
    /// Of a run that was recorded before, or goes on.
    void takeUp(const RunState& state);
    /// A candidate's figures are final: its edit, or that of the program that it is a version of, may be a successful
    /// one.
    void note(const RunState& state, CandidateId settled);
    /// An edit was offered for a program.
    void noteOffer(const RunState& state, const Proposal& proposal);
    /// The next pair, with the program to edit first; none while no edit fits any program that it was not tried on. An
    /// edit is tried on RunSettings::recombinations programs at most.
    std::optional<ProposalRequest> next(
        const ProposerView& view, const PendingRequests& pending, const RestingIslands& resting);
    /// Some edits were tried on fewer programs than they may be.
    bool areLeft(const RunState& state) const;

private:
    struct Edit {
        int offered = 0;
        std::set<CandidateId> seen; ///< programs, as they were before tuning, that it was tried on or does not fit
    };
    /// Whether a program comes out that is not known yet, its constants aside.
    bool fits(const ProposerView& view, CandidateId target, CandidateId donor);

    std::map<CandidateId, Edit> m_edits; ///< by the candidate that the edit made, before tuning
    std::set<Hash> m_structures; ///< of the first m_known candidates
    std::size_t m_known = 0;
};

} // namespace tilewright
