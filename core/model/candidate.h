// SPDX-License-Identifier: GPL-3.0-or-later
// Candidates, proposals and islands: the value types of a run.
#pragma once

#include "core/model/islands/island_steering.h"
#include "core/model/measurement/evaluation.h"
#include "core/model/requests/model_request.h"
#include "core/model/reviews/review.h"
#include "core/model/tunables.h"

#include <map>
#include <string>
#include <vector>

namespace tilewright {

/// Withdrawn: a user took back what they wrote, or the island that it was for, before it was measured.
enum class ProposalState { Open, Refused, Duplicate, Accepted, Withdrawn };
std::string nameOf(ProposalState state);

struct Proposal {
    ProposalId id;
    IslandId island;
    std::int64_t ordinal = 0; ///< counts the island's proposals from 1; seeds its randomness
    std::string proposer; ///< "mutator", "tuner", "seed", …
    Focus focus = Focus::Explore;
    std::vector<CandidateId> parents;
    std::vector<std::string> moves; ///< names of the moves it adds, for the mutator
    std::string title = {}; ///< what it changes, in few words, if the reply says so
    std::string reasoning, claim;
    Hash reply; ///< the reply as it was given
    ModelRequestId modelRequest; ///< the question it answers; none for what is built in
    bool whole = false; ///< a whole block was asked for, not a patch (translate; a rewrite says so by its focus)
    int part = 0; ///< 1, 2, … where the reply holds several proposals; 0 = the whole reply
    std::string finish; ///< why the reply ended, in the provider's word; "" if nobody said
    ProposalId repairOf; ///< whose patch failed, for a repair turn or a rewrite
    int attempt = 1; ///< 2: the repair turn, 3: the rewrite
    ProposalState state = ProposalState::Open;
    std::string rule, detail; ///< why refused; for duplicates the candidate that was first
    std::vector<std::string> repairs; ///< what the applier mended, once the patch applied
    SteeringRequestId steering; ///< it was asked for because a user requested it
    std::string why = {}; ///< why its parents and focus were chosen, in words

    /// What it is about, for a line of a list: the title, else the reasoning.
    const std::string& idea() const { return title.empty() ? reasoning : title; }
    bool operator==(const Proposal&) const = default;
};

/// Where a candidate stands on its way through the pipeline. Review: it waits for a user; Rejected: a user ended
/// it.
enum class Stage { Queued, Building, Checking, Review, Screening, Confirming, Done, Rejected };
std::string nameOf(Stage stage);

struct Candidate {
    CandidateId id;
    ProposalId proposal;
    IslandId island;
    int generation = 0; ///< 1 + the highest among the parents; the seed has 0
    std::vector<CandidateId> parents; ///< first: the one that was edited
    Hash program; ///< normalised identity
    Hash source; ///< blob of the text as it is
    Hash patch; ///< normalised unified diff against the first parent; null for the seed
    std::vector<std::string> repairs; ///< what the applier mended in the reply: "hunk 2: …"
    std::vector<std::string> moves; ///< all moves in its lineage, in order of application
    Tunables tunables;
    CandidateId tunedFrom; ///< the candidate of which this is a variant, if it came from the tuner
    std::string cell; ///< niche address "3,1"; empty until admitted
    bool migrated = false;
    /// A copy that an undo took off its island, what a user wrote and withdrew, or what was under way for an island
    /// that was taken back: only the record tells of it.
    bool takenBack = false;

    Stage stage = Stage::Queued;
    Outcome outcome = Outcome::None;
    std::string rule, text; ///< why it failed
    Verdict verdict = Verdict::None;
    std::optional<Interval> versusIncumbent;
    std::optional<Interval> score; ///< provisional until confirmed
    std::optional<Interval> vsVendor, heldoutScore, heldoutVsVendor;
    bool confirmed = false;
    bool audited = false;
    EvaluationId latest; ///< the evaluation these figures come from
    EvaluationId newest; ///< of all that were made of it, re-runs among them; Evaluation::before leads to the others
    std::int64_t evaluationNumber = 0; ///< 1 for the first that entered a build; 0 before
    /// 1 for the first evaluation of the run that had a result; 0 before it has one. Given once: what a user took
    /// back is counted. Unlike evaluationNumber it follows what was known when: what waited for a user comes late.
    std::int64_t resultNumber = 0;
    std::int64_t finishedNs = 0; ///< run time (not wall clock of the world) when its screening ended
    std::int64_t seq = 0; ///< of the event that brought it into the run
    ReviewId review; ///< the newest question to a user about it, or the one it was made for as an edit
    bool disputed = false; ///< a re-run contradicted these figures beyond the noise

    bool operator==(const Candidate&) const = default;
    bool isOver() const { return stage == Stage::Done || stage == Stage::Rejected; }
    bool isRanked() const { return outcome == Outcome::Ranked && score.has_value(); }
};

struct Evaluation {
    EvaluationId id;
    CandidateId candidate;
    CandidateId against; ///< the incumbent it was paired with
    std::string device;
    EvaluationResult result;
    EvaluationId before = {}; ///< the one before it of the same candidate; follows from the run

    bool operator==(const Evaluation&) const = default;
};

struct Island {
    IslandId id;
    std::string name;
    std::string strategy = "evolve";
    Focus focus = Focus::Explore;
    std::int64_t proposals = 0; ///< offered so far: the ordinal of the last one
    std::int64_t admissions = 0; ///< candidates that took or kept a place
    CandidateId best;
    std::map<std::string, CandidateId> niches; ///< cell → elite
    std::vector<CandidateId> members; ///< living population, oldest first
    std::vector<std::pair<std::int64_t, double>> bestTrace; ///< (results ever, best score so far)
    std::int64_t lastMigration = 0; ///< admissions at the last one
    Standing standing = Standing::Living;
    IslandId mergedInto; ///< of an island that ended: where its candidates compete from then on
    bool unmade = false; ///< it was added and taken back
    IslandId clonedFrom = {}; ///< of one that was cloned
    IslandSteering steering;
    /// Counted with its proposals when turns are shared out: who came late or paused has no turns to catch up on.
    std::int64_t headStart = 0;

    bool operator==(const Island&) const = default;
    std::int64_t turns() const { return proposals + headStart; }
    /// There is something of its own to show: added and taken back before anything was asked of it, it holds copies
    /// alone.
    bool hasCome() const { return !unmade || proposals > 0; }
};

} // namespace tilewright
