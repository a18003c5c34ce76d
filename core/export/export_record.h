// SPDX-License-Identifier: GPL-3.0-or-later
// What an export says of one candidate: everything is read from the record of its run, nothing is measured or guessed
// here. report.json is this record, REPORT.html shows it. Pure.
#pragma once

#include "core/model/measurement/evidence.h"
#include "core/model/parent_change.h"
#include "core/model/run_state.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tilewright {

/// What an export knows besides the run.
struct ExportSource {
    std::string session; ///< name of the session file, without its folder
    std::string exportedAtUtc; ///< ISO 8601
    std::string version; ///< of Tilewright
    std::function<std::string(const Hash&)> textOf; ///< a text of the session; "" where it is not there
};

/// One program on the way from the seed to the exported candidate.
struct LineageStep {
    CandidateId candidate;
    int generation = 0;
    std::string author; ///< "seed", "mutator", the name of a model, "user"
    std::string proposer, focus, title, reasoning, claim;
    std::vector<std::string> moves; ///< those that it adds
    std::vector<std::string> repairs;
    std::vector<CandidateId> otherParents; ///< of a crossover
    std::string diff; ///< against the step before; "" for the seed
    int linesAdded = 0, linesRemoved = 0;
    std::optional<Interval> score; ///< as it was measured at its own time
    bool confirmed = false;
    std::optional<ParentChange> change; ///< against the step before
    std::vector<Review> reviews;
};

/// A shape on which the candidate takes longer than what it was timed beside.
struct SlowerShape {
    Shape shape;
    ShapeSplit split = ShapeSplit::Train;
    Interval ratio; ///< below 1: the candidate is slower
};
/// What the candidate was timed beside, and on which shapes it is slower than that.
struct SlowerThan {
    std::string opponent; ///< "baseline", "previous best", "vendor library", "parent"
    std::string name; ///< "the seed, c-0001"; "OpenBLAS 0.3.21, Cooperlake"
    int measured = 0; ///< shapes with a ratio
    int faster = 0, undecided = 0; ///< the whole interval above 1; it holds 1
    std::vector<SlowerShape> slower = {}; ///< the whole interval lies below 1
};

/// A measurement of the candidate after its verdict, which a user asked for.
struct RerunFigures {
    EvaluationId evaluation;
    CandidateId against; ///< what it was timed beside
    std::string askedAtUtc; ///< ISO 8601; "" where the session does not tell
    std::string conditions; ///< "2 times the samples, on cuda:1": what is unlike a confirmation; "" for nothing
    std::optional<Interval> score, versusOpponent, versusVendor;
    std::string finding; ///< "contradicts the figures", "agrees"
};

/// Candidates and replies of the session that came to nothing, by the rule that ended them.
struct RejectedByRule {
    std::string rule; ///< "verify/norm"; "review" for a decision of a user
    std::int64_t count = 0;
    std::string example; ///< "c-0042", or "reply 17" of what did not become a candidate
    std::string text; ///< what was found there
    bool isReply = false;
};
struct RejectedInReview {
    CandidateId candidate;
    std::string by, reason, title;
};

/// What one author brought.
struct Contribution {
    std::string author;
    int steps = 0; ///< of the lineage
    std::int64_t proposals = 0, candidates = 0, ranked = 0; ///< in the whole session
    std::int64_t tokens = 0; ///< of a model's replies
};

/// The answer to "is the gain real", from figures alone.
enum class Finding {
    Faster, ///< faster than the baseline on train, held-out and measured sealed shapes, beyond noise
    FasterOnTrain, ///< on train shapes; held-out or sealed shapes do not show it, or there are no held-out ones
    NotFaster, ///< no gain beyond noise
    Disputed, ///< a re-run contradicts the figures
    RefusedOnSealed ///< a rule refused it on sealed shapes
};

struct ExportRecord {
    ExportSource source;
    std::string taskName, taskTitle, operation, target;
    CandidateId candidate;
    std::string programHash, sourceHash; ///< of the normalised program; of its text
    Finding finding = Finding::NotFaster;
    std::string findingText; ///< one sentence
    EvaluationId evaluation;
    EvaluationResult result; ///< of the confirmation that the figures come from
    Evidence evidence;
    bool audited = false;
    std::string dispute; ///< disputeText(): which re-run contradicts it, and what decides; "" where it is not disputed
    std::vector<RerunFigures> reruns; ///< of this candidate, oldest first
    CandidateId against; ///< the previous best, which it was confirmed beside
    std::vector<SlowerThan> slower;
    std::vector<LineageStep> lineage; ///< the seed first
    std::vector<RejectedByRule> rejected; ///< most frequent first
    std::vector<RejectedInReview> rejectedInReview;
    std::vector<std::string> notProven; ///< other confirmed candidates, and why they are not the best
    std::vector<Contribution> contributions;
    std::int64_t evaluations = 0, confirmations = 0, candidates = 0;
    std::int64_t measuredOnSealed = 0; ///< candidates of the session that were measured on sealed shapes
    std::vector<ShapeResult> sealed; ///< of this candidate; empty where none were measured
    std::optional<Interval> sealedScore, sealedVsVendor;
    Outcome sealedOutcome = Outcome::None; ///< None: it was not measured on them
    std::string sealedNote; ///< why there are no figures of sealed shapes; "" where there are
    std::vector<std::pair<std::int64_t, double>> bestTrace; ///< (evaluations, score of the best)
    nlohmann::json deviceFacts;
    std::vector<std::string> inputKinds;
    std::vector<std::string> notCovered;
    std::int64_t costMicroUsd = 0, unpriced = 0, tokens = 0;
    double runSeconds = 0;
};

/// Errors: candidate/unknown, export/unconfirmed (no confirmation, or not ranked by it).
Result<ExportRecord> exportRecordOf(
    const RunState& state, CandidateId candidate, const TaskPack& pack, ExportSource source);

nlohmann::json toJson(const ExportRecord& record);
/// "faster", "faster-on-train", "not-faster", "disputed", "refused-on-sealed".
std::string nameOf(Finding finding);

} // namespace tilewright
