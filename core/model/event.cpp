// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/event.h"

#include "core/base/names.h"
#include "core/model/event_names.h"

#include <array>

namespace tilewright {
namespace {

// In the order of EventBody's alternatives.
constexpr std::array<std::string_view, std::variant_size_v<EventBody>> kinds{"run_created", "island_created",
    "device_found", "proposed", "proposal_refused", "candidate_made", "evaluation_started", "stage_reached",
    "evaluated", "admitted", "migrated", "incumbent_changed", "noise_measured", "budget_changed", "phase_changed",
    "noted", "asked", "answered", "body_arrived", "arm_changed", "insights_written", "tried_again", "hints_changed",
    "review_policy_changed", "review_asked", "reviewed", "review_undone", "feature_used", "template_saved",
    "island_standing_changed", "island_steered", "island_reset", "migration_planned", "lever_undone", "marked",
    "mark_undone", "wished", "wish_withdrawn", "placed", "placement_undone", "handwritten_withdrawn", "rerun_asked",
    "rerun_withdrawn", "work_done", "judged", "proposer_changed", "review_limit_changed", "turns_waived"};

struct Subject {
    std::int64_t operator()(const events::IslandCreated& e) const { return e.id.value; }
    std::int64_t operator()(const events::Proposed& e) const { return e.proposal.id.value; }
    std::int64_t operator()(const events::ProposalRefused& e) const { return e.id.value; }
    std::int64_t operator()(const events::CandidateMade& e) const { return e.candidate.id.value; }
    std::int64_t operator()(const events::EvaluationStarted& e) const { return e.candidate.value; }
    std::int64_t operator()(const events::StageReached& e) const { return e.candidate.value; }
    std::int64_t operator()(const events::Evaluated& e) const { return e.evaluation.candidate.value; }
    std::int64_t operator()(const events::Admitted& e) const { return e.candidate.value; }
    std::int64_t operator()(const events::Migrated& e) const { return e.copy.id.value; }
    std::int64_t operator()(const events::IncumbentChanged& e) const { return e.candidate.value; }
    std::int64_t operator()(const events::Asked& e) const { return e.inquiry.id.value; }
    std::int64_t operator()(const events::Answered& e) const { return e.id.value; }
    std::int64_t operator()(const events::BodyArrived& e) const { return e.id.value; }
    std::int64_t operator()(const events::TriedAgain& e) const { return e.id.value; }
    std::int64_t operator()(const events::HintsChanged& e) const { return e.island.value; }
    std::int64_t operator()(const events::ReviewPolicyChanged& e) const { return e.island.value; }
    std::int64_t operator()(const events::TurnsWaived& e) const { return e.island.value; }
    std::int64_t operator()(const events::ReviewAsked& e) const { return e.candidate.value; }
    std::int64_t operator()(const events::Reviewed& e) const { return e.id.value; }
    std::int64_t operator()(const events::ReviewUndone& e) const { return e.id.value; }
    std::int64_t operator()(const events::FeatureUsed& e) const { return e.candidate.value; }
    std::int64_t operator()(const events::TemplateSaved& e) const { return e.island.value; }
    std::int64_t operator()(const events::IslandStandingChanged& e) const { return e.island.value; }
    std::int64_t operator()(const events::IslandSteered& e) const { return e.island.value; }
    std::int64_t operator()(const events::IslandReset& e) const { return e.island.value; }
    std::int64_t operator()(const events::Marked& e) const { return e.candidate.value; }
    std::int64_t operator()(const events::MarkUndone& e) const { return e.candidate.value; }
    std::int64_t operator()(const events::Wished& e) const { return e.wish.id.value; }
    std::int64_t operator()(const events::WishWithdrawn& e) const { return e.id.value; }
    std::int64_t operator()(const events::Placed& e) const { return e.copy.id.value; }
    std::int64_t operator()(const events::PlacementUndone& e) const { return e.copy.value; }
    std::int64_t operator()(const events::HandwrittenWithdrawn& e) const { return e.candidate.value; }
    std::int64_t operator()(const events::RerunAsked& e) const { return e.candidate.value; }
    std::int64_t operator()(const events::RerunWithdrawn& e) const { return e.id.value; }
    std::int64_t operator()(const events::WorkDone& e) const { return e.span.candidate.value; }
    std::int64_t operator()(const events::Judged& e) const { return e.judgement.candidate.value; }
    template <typename Other> std::int64_t operator()(const Other&) const { return 0; }
};

} // namespace

std::string nameOf(events::Phase phase) { return nameIn(phaseNames, phase); }
std::string kindOf(const EventBody& body) { return std::string(kinds[body.index()]); }
std::int64_t subjectOf(const EventBody& body) { return std::visit(Subject{}, body); }

} // namespace tilewright
