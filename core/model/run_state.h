// SPDX-License-Identifier: GPL-3.0-or-later
// Everything known about a run, as a pure function of its events. A value: the engine keeps one and changes it by
// apply() alone; the window and the CLI read copies, which cost one pointer per 128 candidates.
#pragma once

#include "core/base/chunked.h"
#include "core/base/sharded.h"
#include "core/model/event.h"
#include "core/model/islands/placement.h"
#include "core/model/marks.h"
#include "core/model/run_change.h"

#include <map>
#include <memory>
#include <set>

namespace tilewright {

struct LogLine {
    std::int64_t seq = 0;
    std::string atUtc;
    std::string severity; ///< info | good | warning | error
    CandidateId candidate; ///< 0 if none
    std::string text;
    ProposalId proposal = {}; ///< whose reply can be read, though no candidate came of it

    bool operator==(const LogLine&) const = default;
};

/// What a run was set to before one of its settings was changed.
struct SettingsBefore {
    std::int64_t seq = 0; ///< of the change
    RunSettings settings;
    bool continued = false; ///< the change belongs to the command of the one before it
    bool undo = false; ///< it undoes the newest change of the same setting that stands

    bool operator==(const SettingsBefore&) const = default;
};

/// Of one who is asked and failed, until one answers that was asked later.
struct Outage {
    std::int64_t lastNs = 0; ///< run time of the newest failure
    std::set<std::string> told; ///< what the log has said of it

    bool operator==(const Outage&) const = default;
};

struct NoiseFloor {
    double floor = 0; ///< fraction
    int blocks = 0; ///< it stands on

    bool operator==(const NoiseFloor&) const = default;
};

struct RunState {
    RunId run;
    std::int64_t lastSeq = 0;
    RunSettings settings;
    events::Phase phase = events::Phase::Created;
    std::string phaseReason;
    std::string phaseCode; ///< "budget/…": the budget that ended it and was not changed since; else empty
    std::int64_t runNs = 0; ///< time spent running, up to the last event that says it
    std::string device, host;
    nlohmann::json deviceFacts;
    std::vector<std::string> otherDevices; ///< of the same kind, which measure beside it
    std::map<std::string, NoiseFloor> noise; ///< by device
    double noiseFloor = 0; ///< the largest of those that measure now
    int noiseBlocks = 0; ///< of all of them

    std::vector<Island> islands; ///< index = id − 1
    Chunked<Proposal> proposals; ///< index = id − 1
    Chunked<Candidate> candidates; ///< index = id − 1; the seed is first
    Chunked<Evaluation, 32> evaluations; ///< index = id − 1
    Chunked<ModelRequest> modelRequests; ///< index = id − 1
    Chunked<Review> reviews; ///< index = id − 1
    std::int64_t waitingReviews = 0; ///< of them: those that wait for a user's word
    std::map<std::string, CandidateId> features; ///< of the hardware, and who used each first
    Chunked<LogLine> log;
    Sharded<CandidateId> firstOfProgram; ///< duplicates are found here; not what was taken back unmeasured
    std::map<std::string, std::int64_t> outcomes; ///< by outcome name; refused proposals and duplicates by their state
    std::int64_t evaluationsStarted = 0; ///< places of the evaluations budget that are taken
    std::set<std::int64_t> freedPlaces; ///< which withdrawn candidates had; they are given first
    std::int64_t placesFreed = 0; ///< how often one was: with evaluationsStarted, how often one was taken
    std::int64_t evaluationsDone = 0; ///< of them: those that have a result
    /// Results that there ever were, those that a user took back among them: places on an axis are given once.
    std::int64_t resultsEver = 0;
    std::int64_t tokensSpent = 0; ///< by all model requests, guesses included
    std::int64_t tokensGuessed = 0; ///< of them: those that no server told
    std::int64_t costMicroUsd = 0; ///< of the answers whose cost is known
    std::int64_t unpriced = 0; ///< answers whose cost is unknown, or not all of it: with any, the cost is "at least"
    std::int64_t lost = 0; ///< questions under way when the program was cut off: tokens and cost unknown
    /// What tries whose use nobody told may have used at most beyond the above: budgets count it as used.
    std::int64_t doubtfulTokens = 0, doubtfulMicroUsd = 0;
    ModelStatisticsMap statisticsByModel; ///< the ensemble: by model
    std::map<std::pair<std::string, std::string>, Outage> outages; ///< by proposer and model
    std::vector<InsightNote> insights; ///< oldest first
    std::vector<TemplateVersion> templates; ///< oldest first
    Chunked<IslandChange> islandChanges; ///< what a user did to islands, oldest first
    Chunked<RunChange> changes; ///< what a user changed in the run, oldest first: the marks on its time axis
    Chunked<SettingsBefore> settingsBefore; ///< of each of the changes that is of settings
    Chunked<MigrationMark> migrations; ///< oldest first
    NicheGrid grid;
    CandidateId incumbent; ///< the confirmed best, else the seed
    std::vector<CandidateId> incumbents; ///< that were proven, in their order; see best.h for who is it after a ban
    std::vector<std::pair<std::int64_t, double>> bestTrace; ///< (evaluations done, confirmed score)
    /// Results since the newest confirmed best, or since the beginning.
    std::int64_t evaluationsSinceGain() const
    {
        return evaluationsDone - (bestTrace.empty() ? 0 : bestTrace.back().first);
    }
    Chunked<BanMark> bans; ///< when each came and went, oldest first; who is banned now, the marks say
    std::map<CandidateId, std::vector<Marking>> marks; ///< a user's: each value that held, the newest last
    std::vector<SteeringRequest> steeringRequests; ///< index = id − 1
    std::vector<Placement> placements; ///< oldest first
    std::vector<Rerun> reruns; ///< index = id − 1
    std::vector<SealedMeasurement> sealedMeasurements; ///< oldest first; at most one of a candidate
    std::vector<Judgement> judgements; ///< oldest first
    WorkRecord work; ///< what builders and device did, and when

    bool operator==(const RunState&) const = default;

    const Candidate* candidate(CandidateId id) const;
    const Proposal* proposal(ProposalId id) const;
    const Evaluation* evaluation(EvaluationId id) const;
    const ModelRequest* modelRequest(ModelRequestId id) const;
    const Review* review(ReviewId id) const;
    const Island* island(IslandId id) const;
    /// Null while it was not measured on sealed shapes.
    const SealedMeasurement* sealedMeasurement(CandidateId candidate) const;
    /// Islands that it has, or that it will begin with.
    std::int64_t islandCount() const;
    /// The newest steering command that was not taken back; null if there is none.
    const IslandChange* newestIslandChange() const;
    /// Blank ones where nobody marked it.
    const Marks& marksOf(CandidateId id) const;
    /// A user's note, if one holds; null else.
    const InsightNote* personsInsight() const;
    /// The newest note of the statistics or a model; null before the first.
    const InsightNote* newestInsight() const;
    /// The newest version of a template of an island (id 0: of all), a taken-away one too; null if none was saved.
    const TemplateVersion* newestTemplate(IslandId island, std::string_view name) const;
    /// Best confirmed candidate; none before the first.
    const Candidate* best() const;
};

/// The seed is in the run and not measured yet: all others are timed beside it.
bool isSeedAwaited(const RunState& state);

/// The next state. Events that do not fit (unknown ids, gaps) are errors: event/order, event/unknown-id.
Result<void> apply(RunState& state, const Event& event);

} // namespace tilewright
