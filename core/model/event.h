// SPDX-License-Identifier: GPL-3.0-or-later
// The events of a run: append-only, the only truth of a session. Each kind is a struct of its own with its JSON form;
// apply() in run_state.h is the only reader. A kind is never changed in meaning: a new meaning is a new kind.
#pragma once

#include "core/model/candidate.h"
#include "core/model/islands/island_change.h"
#include "core/model/islands/placement.h"
#include "core/model/marks.h"
#include "core/model/measurement/rerun.h"
#include "core/model/measurement/sealed.h"
#include "core/model/niche_grid.h"
#include "core/model/requests/model_request.h"
#include "core/model/requests/model_statistics.h"
#include "core/model/reviews/handwritten.h"
#include "core/model/reviews/judgement.h"
#include "core/model/reviews/review_policies.h"
#include "core/model/work.h"

#include <map>
#include <variant>

namespace tilewright {

struct Budget {
    std::int64_t evaluations = 0; ///< 0 = no limit
    double wallSeconds = 0; ///< 0 = no limit
    std::int64_t tokens = 0; ///< read and written by models; 0 = no limit
    std::int64_t costMicroUsd = 0; ///< 0 = no limit
    std::int64_t noGain = 0; ///< evaluations since the newest better program; 0 = no limit
    std::int64_t replies = 0; ///< requests for edits that models or a user answer, repair turns included; 0 = no limit

    bool operator==(const Budget&) const = default;
};

inline constexpr int mostTuning = 10000, mostEditsAsked = 8, mostRecombinations = 16;

struct RunSettings {
    Hash task; ///< blob of the pack
    std::string taskName;
    std::uint64_t seed = 1;
    std::string proposer = "mutator"; ///< a name, or a name and what it works with: "manual:FOLDER"
    std::string device = "cpu";
    int islands = 4;
    std::vector<std::string> strategies; ///< of the first islands, in order of id; the others evolve
    Budget budget;
    /// What the user says to whoever is asked for edits, a hint a line: by island; id 0 for all of them.
    std::map<IslandId, std::string> hints;
    /// Which candidates wait for a review before they are measured.
    IslandPolicies review;
    int reviewLimit = usualReviewLimit; ///< edits of an island that may wait for a user; 0 = no limit
    MigrationPlan migration;
    /// Versions of a program with tunables, as a model or a user wrote it, that may be measured before the search goes
    /// on; 0: it is judged with the values it came with.
    int tuning = 0;
    /// Programs that a successful edit of a model or a user is tried on besides, without a reply; 0: none.
    int recombinations = 0;
    int edits = 0; ///< asked for in one reply; 0: as many as pay for the focus

    ReviewPolicies reviewPoliciesOf(IslandId island) const { return policiesOf(review, island); }
    ReviewPolicy reviewPolicyOf(IslandId island, ProposerKind kind) const { return reviewPoliciesOf(island).of(kind); }

    bool operator==(const RunSettings&) const = default;
};

namespace events {
/// First of a run.
struct RunCreated {
    RunSettings settings;
    bool operator==(const RunCreated&) const = default;
};
struct IslandCreated {
    IslandId id;
    std::string name, strategy;
    Focus focus = Focus::Explore;
    IslandSteering steering = {}; ///< a copy begins as its original is steered
    IslandId clonedFrom = {}; ///< of a copy; none else
    bool operator==(const IslandCreated&) const = default;
};
/// The node's greeting: what measures, and how isolated. Comes again after each start.
struct DeviceFound {
    std::string device, host;
    nlohmann::json facts; ///< name, isolation "sandbox|reduced", compiler, caches …
    std::vector<std::string> others = {}; ///< of the same kind, which measure beside it
    bool operator==(const DeviceFound&) const = default;
};
/// A proposal was offered; its reply is stored before it is parsed.
struct Proposed {
    Proposal proposal; ///< state Open
    bool operator==(const Proposed&) const = default;
};
/// The patch did not apply, or the program was there already (state Duplicate, detail = name of the first).
struct ProposalRefused {
    ProposalId id;
    ProposalState state = ProposalState::Refused;
    std::string rule, detail;
    std::vector<std::string> repairs = {}; ///< for duplicates: what had to be mended before that was seen
    bool operator==(const ProposalRefused&) const = default;
};
/// The proposal's patch applied and its program is new: it is a candidate now.
struct CandidateMade {
    Candidate candidate; ///< stage Queued, nothing measured
    bool operator==(const CandidateMade&) const = default;
};
/// It entered a build: it holds a place of the evaluations budget from here, once. It counts as an evaluation when its
/// first result is in.
struct EvaluationStarted {
    CandidateId candidate;
    bool operator==(const EvaluationStarted&) const = default;
};
struct StageReached {
    CandidateId candidate;
    Stage stage = Stage::Building;
    bool operator==(const StageReached&) const = default;
};
/// A result came back. Screening results set the candidate's provisional figures, confirming ones its final ones.
struct Evaluated {
    Evaluation evaluation;
    std::int64_t runNs = 0;
    bool operator==(const Evaluated&) const = default;
};
/// It took a place in its island's population; displaced left the population (not the record).
struct Admitted {
    CandidateId candidate;
    IslandId island;
    std::string cell;
    bool elite = false; ///< it holds its cell now
    std::vector<CandidateId> displaced;
    bool operator==(const Admitted&) const = default;
};
/// An elite was copied to a neighbour island as a candidate of its own that shares the measured program.
struct Migrated {
    CandidateId from;
    Candidate copy;
    std::string cell;
    bool elite = false;
    std::vector<CandidateId> displaced;
    bool byOrder = false; ///< an island was cloned, merged or reset: nobody's turn to migrate is used up
    bool operator==(const Migrated&) const = default;
};
struct IncumbentChanged {
    CandidateId candidate;
    bool operator==(const IncumbentChanged&) const = default;
};
struct NoiseMeasured {
    std::string device;
    double floor = 0; ///< fraction
    int blocks = 0;
    bool operator==(const NoiseMeasured&) const = default;
};
struct BudgetChanged {
    Budget budget;
    bool undo = false; ///< it undoes the newest change of the same setting that stands; so in the following
    bool operator==(const BudgetChanged&) const = default;
};
/// Who is asked for edits from here on: as RunSettings::proposer.
struct ProposerChanged {
    std::string proposer;
    bool undo = false;
    bool operator==(const ProposerChanged&) const = default;
};
/// The user's hints to an island (id 0: to all) are these lines from here on; "" takes them away.
struct HintsChanged {
    IslandId island;
    std::string text;
    bool undo = false;
    bool operator==(const HintsChanged&) const = default;
};
enum class Phase { Created, Running, Paused, Finished, Stopped };
/// Run control; reason is for a user: "evaluation budget exhausted", "paused by user". Running once more while it
/// runs: it waits for a user alone, which is not counted, or goes on after that or as the two reasons below say.
struct PhaseChanged {
    Phase phase = Phase::Created;
    std::string reason;
    std::int64_t runNs = 0; ///< time spent running so far
    std::string code = {}; ///< "budget/tokens": which budget is used up; empty for other reasons
    bool operator==(const PhaseChanged&) const = default;
};
inline const std::string afterAStep = "goes on after a step";
/// What ran was a measurement that a user wanted of a paused run, and now all of it goes on.
inline const std::string afterMeasuringAgain = "started, while a candidate was measured again";
/// Of a change from running to running: a user ordered it; else the run waited for a user.
inline bool isOrderedToGoOn(const std::string& reason) { return reason == afterAStep || reason == afterMeasuringAgain; }
/// Something a user should know: a worker was respawned, a device was lost.
struct Noted {
    std::string severity; ///< info | warning | error
    std::string text, hint;
    bool operator==(const Noted&) const = default;
};
/// A question is about to go outside: it is on the disk before it does.
struct Asked {
    ModelRequest modelRequest; ///< state Open
    bool operator==(const Asked&) const = default;
};
/// Its answer came, or will not come any more. Comes before the proposals that the answer holds.
struct Answered {
    ModelRequestId id;
    ModelRequestAnswer answer;
    std::int64_t runNs = 0;
    bool operator==(const Answered&) const = default;
};
/// An open question is about to be sent once more: it is on the disk before it is.
struct TriedAgain {
    ModelRequestId id;
    int number = 2; ///< of the try
    bool operator==(const TriedAgain&) const = default;
};
/// A reply's body arrived. It was paid for: it is on the disk before anything in it is read.
struct BodyArrived {
    ModelRequestId id;
    ModelRequestBody body;
    bool operator==(const BodyArrived&) const = default;
};
/// What is known about a model changed: an edit of its was measured, a call failed, a user let it go on.
struct ModelStatisticsChanged {
    std::string model;
    ModelStatistics statistics;
    bool operator==(const ModelStatisticsChanged&) const = default;
};
/// The run's memory got a text; an empty text of a user takes theirs away.
struct InsightsWritten {
    InsightNote note;
    bool operator==(const InsightsWritten&) const = default;
};
/// A user saved a prompt template, or took theirs away; number, firstModelRequest and evaluations follow from the run.
struct TemplateSaved {
    IslandId island;
    std::string name;
    Hash text; ///< as TemplateVersion::text
    std::string note;
    int again = 0; ///< as TemplateVersion::again
    bool isUndo = false; ///< as TemplateVersion::isUndo
    bool operator==(const TemplateSaved&) const = default;
};
} // namespace events

std::string nameOf(events::Phase phase);

using EventBody = std::variant<events::RunCreated, events::IslandCreated, events::DeviceFound, events::Proposed,
    events::ProposalRefused, events::CandidateMade, events::EvaluationStarted, events::StageReached, events::Evaluated,
    events::Admitted, events::Migrated, events::IncumbentChanged, events::NoiseMeasured, events::BudgetChanged,
    events::PhaseChanged, events::Noted, events::Asked, events::Answered, events::BodyArrived,
    events::ModelStatisticsChanged, events::InsightsWritten, events::TriedAgain, events::HintsChanged,
    events::ReviewPolicyChanged, events::ReviewAsked, events::Reviewed, events::ReviewUndone, events::FeatureUsed,
    events::TemplateSaved, events::IslandStandingChanged, events::IslandSteered, events::IslandReset,
    events::MigrationPlanned, events::IslandChangeUndone, events::Marked, events::MarkUndone, events::SteeringRequested,
    events::SteeringRequestCancelled, events::Placed, events::PlacementUndone, events::HandwrittenWithdrawn,
    events::RerunAsked, events::RerunWithdrawn, events::WorkDone, events::Judged, events::ProposerChanged,
    events::ReviewLimitChanged, events::TurnsWaived, events::GridRebinned, events::SealedMeasured>;

struct Event {
    RunId run{1};
    std::int64_t seq = 0; ///< 1, 2, … without gaps
    std::string atUtc;
    EventBody body;

    bool operator==(const Event&) const = default;
};

/// "proposed", "candidate_made", …: the kind column.
std::string kindOf(const EventBody& body);
/// Id of what the event is about (candidate, proposal, island), 0 if nothing: the subject column.
std::int64_t subjectOf(const EventBody& body);
/// Whether the event has to be on the disk before anything goes on: decisions and paid replies. What the machine found
/// out or told of itself can be had again, and comes many times a second.
bool mustReachDisk(const EventBody& body);
nlohmann::json toJson(const EventBody& body);
/// Errors: event/unknown-kind, event/field.
Result<EventBody> eventFromJson(std::string_view kind, const nlohmann::json& json);

} // namespace tilewright
