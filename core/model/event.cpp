// SPDX-License-Identifier: GPL-3.0-or-later
// Every kind of event once: its name in the file, what it is about, whether it must reach the disk at once, and its
// members. A kind without an entry does not compile.
#include "core/model/event.h"

#include "core/model/event_members.h"

namespace tilewright {
namespace {

/// `subject`: a member that is an id, or a function of the event; `urgent`: a function of the event.
template <typename Event, typename Subject, typename Urgent, typename... Members> struct EventKind {
    using Of = Event;
    std::string_view name;
    Subject subject;
    Urgent urgent;
    std::tuple<Members...> members;
};

template <typename Event, typename Subject, typename Urgent, typename... Members>
constexpr auto kind(std::string_view name, Subject subject, Urgent urgent, Members... members)
{
    return EventKind<Event, Subject, Urgent, Members...>{name, subject, urgent, {members...}};
}

constexpr auto nothing = [](const auto&) { return IslandId{}; };
constexpr auto atOnce = [](const auto&) { return true; };
constexpr auto later = [](const auto&) { return false; };

using namespace events;

constexpr std::tuple eventKinds{
    kind<RunCreated>("run_created", nothing, atOnce, part(&RunCreated::settings)),
    kind<IslandCreated>("island_created", &IslandCreated::id, later, always("id", &IslandCreated::id),
        required("name", &IslandCreated::name), required("strategy", &IslandCreated::strategy),
        required("focus", &IslandCreated::focus), rare("steering", &IslandCreated::steering),
        rare("cloned_from", &IslandCreated::clonedFrom)),
    kind<DeviceFound>("device_found", nothing, later, required("device", &DeviceFound::device),
        always("host", &DeviceFound::host), always("facts", &DeviceFound::facts), rare("others", &DeviceFound::others)),
    // The answer to a question was paid for.
    kind<Proposed>(
        "proposed", [](const Proposed& e) { return e.proposal.id; },
        [](const Proposed& e) { return bool(e.proposal.modelRequest); }, part(&Proposed::proposal)),
    kind<ProposalRefused>("proposal_refused", &ProposalRefused::id, later, always("id", &ProposalRefused::id),
        required("state", &ProposalRefused::state), always("rule", &ProposalRefused::rule),
        always("detail", &ProposalRefused::detail), rare("repairs", &ProposalRefused::repairs)),
    kind<CandidateMade>(
        "candidate_made", [](const CandidateMade& e) { return e.candidate.id; }, later,
        part(&CandidateMade::candidate)),
    kind<EvaluationStarted>(
        "evaluation_started", &EvaluationStarted::candidate, later, always("candidate", &EvaluationStarted::candidate)),
    kind<StageReached>("stage_reached", &StageReached::candidate, later, always("candidate", &StageReached::candidate),
        required("stage", &StageReached::stage)),
    kind<Evaluated>(
        "evaluated", [](const Evaluated& e) { return e.evaluation.candidate; }, later, part(&Evaluated::evaluation),
        always("run_ns", &Evaluated::runNs)),
    kind<Admitted>("admitted", &Admitted::candidate, later, always("candidate", &Admitted::candidate),
        always("island", &Admitted::island), always("cell", &Admitted::cell), always("elite", &Admitted::elite),
        always("displaced", &Admitted::displaced)),
    kind<Migrated>(
        "migrated", [](const Migrated& e) { return e.copy.id; }, later, always("from", &Migrated::from),
        required("copy", &Migrated::copy), always("cell", &Migrated::cell), always("elite", &Migrated::elite),
        always("displaced", &Migrated::displaced), rare("by_order", &Migrated::byOrder)),
    kind<IncumbentChanged>(
        "incumbent_changed", &IncumbentChanged::candidate, atOnce, always("candidate", &IncumbentChanged::candidate)),
    kind<NoiseMeasured>("noise_measured", nothing, later, always("device", &NoiseMeasured::device),
        required("floor", &NoiseMeasured::floor), always("blocks", &NoiseMeasured::blocks)),
    kind<BudgetChanged>(
        "budget_changed", nothing, atOnce, part(&BudgetChanged::budget), rare("undo", &BudgetChanged::undo)),
    kind<PhaseChanged>("phase_changed", nothing, atOnce, required("phase", &PhaseChanged::phase),
        always("reason", &PhaseChanged::reason), always("run_ns", &PhaseChanged::runNs),
        rare("code", &PhaseChanged::code)),
    kind<Noted>("noted", nothing, later, required("severity", &Noted::severity), required("text", &Noted::text),
        always("hint", &Noted::hint)),
    kind<Asked>(
        "asked", [](const Asked& e) { return e.modelRequest.id; }, atOnce, part(&Asked::modelRequest)),
    kind<Answered>("answered", &Answered::id, atOnce, always("id", &Answered::id),
        required("answer", &Answered::answer), always("run_ns", &Answered::runNs)),
    kind<BodyArrived>(
        "body_arrived", &BodyArrived::id, atOnce, always("id", &BodyArrived::id), required("body", &BodyArrived::body)),
    kind<ModelStatisticsChanged>("arm_changed", nothing, later, required("model", &ModelStatisticsChanged::model),
        required("arm", &ModelStatisticsChanged::statistics)),
    kind<InsightsWritten>("insights_written", nothing, atOnce, part(&InsightsWritten::note)),
    kind<TriedAgain>(
        "tried_again", &TriedAgain::id, later, always("id", &TriedAgain::id), always("number", &TriedAgain::number)),
    kind<HintsChanged>("hints_changed", &HintsChanged::island, atOnce),
    kind<ReviewPolicyChanged>("review_policy_changed", &ReviewPolicyChanged::island, atOnce),
    kind<ReviewAsked>("review_asked", &ReviewAsked::candidate, later, always("id", &ReviewAsked::id),
        always("candidate", &ReviewAsked::candidate), always("risks", &ReviewAsked::risks),
        always("facts", &ReviewAsked::facts)),
    kind<Reviewed>("reviewed", &Reviewed::id, atOnce, always("id", &Reviewed::id),
        required("decision", &Reviewed::decision), always("by", &Reviewed::by), always("reason", &Reviewed::reason),
        rare("edited", &Reviewed::edited), rare("continued", &Reviewed::continued)),
    kind<ReviewUndone>("review_undone", &ReviewUndone::id, atOnce, always("id", &ReviewUndone::id)),
    kind<FeatureUsed>("feature_used", &FeatureUsed::candidate, later, always("candidate", &FeatureUsed::candidate),
        required("feature", &FeatureUsed::feature)),
    kind<TemplateSaved>("template_saved", &TemplateSaved::island, atOnce, always("island", &TemplateSaved::island),
        required("name", &TemplateSaved::name), always("text", &TemplateSaved::text),
        always("note", &TemplateSaved::note), rare("again", &TemplateSaved::again),
        rare("undo", &TemplateSaved::isUndo)),
    kind<IslandStandingChanged>("island_standing_changed", &IslandStandingChanged::island, atOnce),
    kind<IslandSteered>("island_steered", &IslandSteered::island, atOnce, always("island", &IslandSteered::island),
        required("steering", &IslandSteered::steering)),
    kind<IslandReset>("island_reset", &IslandReset::island, atOnce, always("island", &IslandReset::island),
        always("kept", &IslandReset::kept)),
    kind<MigrationPlanned>("migration_planned", nothing, atOnce, part(&MigrationPlanned::plan)),
    kind<IslandChangeUndone>("lever_undone", nothing, atOnce, required("lever", &IslandChangeUndone::islandChange),
        rare("withdrawn", &IslandChangeUndone::withdrawn), rare("unwanted", &IslandChangeUndone::unwanted)),
    kind<Marked>("marked", &Marked::candidate, atOnce, always("candidate", &Marked::candidate),
        required("marks", &Marked::marks)),
    kind<MarkUndone>("mark_undone", &MarkUndone::candidate, atOnce, always("candidate", &MarkUndone::candidate)),
    kind<SteeringRequested>(
        "wished", [](const SteeringRequested& e) { return e.steering.id; }, atOnce, part(&SteeringRequested::steering)),
    kind<SteeringRequestCancelled>(
        "wish_withdrawn", &SteeringRequestCancelled::id, atOnce, always("id", &SteeringRequestCancelled::id)),
    kind<Placed>(
        "placed", [](const Placed& e) { return e.copy.id; }, atOnce, always("from", &Placed::from),
        required("copy", &Placed::copy), required("placing", &Placed::placing), always("cell", &Placed::cell),
        always("elite", &Placed::elite), always("displaced", &Placed::displaced)),
    kind<PlacementUndone>("placement_undone", &PlacementUndone::copy, atOnce, always("copy", &PlacementUndone::copy)),
    kind<HandwrittenWithdrawn>("handwritten_withdrawn", &HandwrittenWithdrawn::candidate, atOnce,
        always("candidate", &HandwrittenWithdrawn::candidate)),
    kind<RerunAsked>("rerun_asked", &RerunAsked::candidate, atOnce, always("id", &RerunAsked::id),
        always("candidate", &RerunAsked::candidate), always("repeats", &RerunAsked::repeats),
        always("against", &RerunAsked::against), rare("shapes", &RerunAsked::shapes),
        rare("device", &RerunAsked::device)),
    kind<RerunWithdrawn>("rerun_withdrawn", &RerunWithdrawn::id, atOnce, always("id", &RerunWithdrawn::id)),
    kind<WorkDone>(
        "work_done", [](const WorkDone& e) { return e.span.candidate; }, later, part(&WorkDone::span)),
    kind<Judged>(
        "judged", [](const Judged& e) { return e.judgement.candidate; }, atOnce, part(&Judged::judgement)),
    kind<ProposerChanged>("proposer_changed", nothing, atOnce, required("proposer", &ProposerChanged::proposer),
        rare("undo", &ProposerChanged::undo)),
    kind<ReviewLimitChanged>("review_limit_changed", nothing, atOnce,
        required("per_island", &ReviewLimitChanged::perIsland), rare("undo", &ReviewLimitChanged::undo)),
    kind<TurnsWaived>("turns_waived", &TurnsWaived::island, later, always("island", &TurnsWaived::island)),
    kind<GridRebinned>("grid_rebinned", nothing, later, required("scales", &GridRebinned::scales),
        always("candidates", &GridRebinned::candidates), required("cells", &GridRebinned::cells)),
    // It is measured once: lost, it would be measured again.
    kind<SealedMeasured>("sealed_measured", &SealedMeasured::candidate, atOnce,
        always("candidate", &SealedMeasured::candidate), always("device", &SealedMeasured::device),
        required("result", &SealedMeasured::result)),
};

/// Events whose members stand elsewhere too, or depend on one another: event_members.h has them.
template <typename Event> constexpr bool hasOwnJson = HasJsonForm<Event> || HasJsonMembers<Event>;

template <typename Event, typename Kind> nlohmann::json written(const Event& event, const Kind& entry)
{
    if constexpr (hasOwnJson<Event>)
        return jsonOf(event);
    nlohmann::json json = nlohmann::json::object();
    writeAll(json, event, entry.members);
    return json;
}

template <typename Event, typename Kind> EventBody readAs(const nlohmann::json& json, const Kind& entry)
{
    if constexpr (hasOwnJson<Event>)
        return fromJson<Event>(json);
    Event event{};
    readAll(json, event, entry.members);
    return event;
}

using Reader = EventBody (*)(const nlohmann::json&);

template <typename... Kinds> std::map<std::string_view, Reader> readersOf(const std::variant<Kinds...>*)
{
    return {{entryOf<Kinds, eventKinds>().name,
        [](const nlohmann::json& json) { return readAs<Kinds>(json, entryOf<Kinds, eventKinds>()); }}...};
}

} // namespace

std::string nameOf(Phase phase) { return nameIn(phaseNames, phase); }

std::string kindOf(const EventBody& body)
{
    return std::visit([]<typename Kind>(const Kind&) { return std::string(entryOf<Kind, eventKinds>().name); }, body);
}

std::int64_t subjectOf(const EventBody& body)
{
    return std::visit(
        []<typename Kind>(const Kind& event) { return std::invoke(entryOf<Kind, eventKinds>().subject, event).value; },
        body);
}

bool mustReachDisk(const EventBody& body)
{
    return std::visit([]<typename Kind>(const Kind& event) { return entryOf<Kind, eventKinds>().urgent(event); }, body);
}

nlohmann::json toJson(const EventBody& body)
{
    return std::visit(
        []<typename Kind>(const Kind& event) { return written(event, entryOf<Kind, eventKinds>()); }, body);
}

Result<EventBody> eventFromJson(std::string_view kind, const nlohmann::json& json)
{
    static const std::map<std::string_view, Reader> readers = readersOf(static_cast<const EventBody*>(nullptr));
    const auto reader = readers.find(kind);
    if (reader == readers.end())
        return fail("event/unknown-kind", "the session holds an event of the unknown kind '" + std::string(kind) + "'",
            "it was written by a newer Tilewright");
    try {
        return reader->second(json);
    } catch (const std::exception& problem) {
        return fail("event/field", "an event of kind '" + std::string(kind) + "' cannot be read: " + problem.what());
    }
}

} // namespace tilewright
