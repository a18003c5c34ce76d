// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/run_state.h"

#include "core/model/best.h"
#include "core/model/reviews/editing.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace tilewright {
namespace {

std::unexpected<Error> unknownId(const char* what, std::int64_t id)
{
    return fail("event/unknown-id", std::string("an event names the unknown ") + what + " " + std::to_string(id));
}

/// One event kind a member; each changes the state as far as its event says and no further.
class Applier
{
public:
    Applier(RunState& state, const Event& event)
        : m_state(state)
        , m_event(event)
    {
    }

    Result<void> operator()(const events::RunCreated& e)
    {
        m_state.run = m_event.run;
        m_state.settings = e.settings;
        note("info", {}, "run created for task " + e.settings.taskName);
        return {};
    }

    Result<void> operator()(const events::IslandCreated& e)
    {
        if (e.id.value != static_cast<std::int64_t>(m_state.islands.size()) + 1)
            return unknownId("island", e.id.value);
        Island island;
        island.id = e.id;
        island.name = e.name;
        island.strategy = e.strategy;
        island.focus = e.focus;
        island.steering = e.steering;
        island.clonedFrom = e.clonedFrom;
        m_state.islands.push_back(std::move(island));
        if (!m_state.candidates.empty())
            noteAdded(m_state, e.id);
        return {};
    }

    Result<void> operator()(const events::DeviceFound& e)
    {
        m_state.device = e.device;
        m_state.host = e.host;
        m_state.deviceFacts = e.facts;
        m_state.otherDevices = e.others;
        return {};
    }

    Result<void> operator()(const events::Proposed& e)
    {
        if (e.proposal.id.value != static_cast<std::int64_t>(m_state.proposals.size()) + 1)
            return unknownId("proposal", e.proposal.id.value);
        if (Island* island = edit(m_state, e.proposal.island))
            island->proposals = std::max(island->proposals, e.proposal.ordinal);
        m_state.proposals.push_back(e.proposal);
        // A steering request for which somebody outside was asked was granted with the question.
        return e.proposal.modelRequest ? Result<void>() : grantSteeringRequest(m_state, e.proposal.steering);
    }

    Result<void> operator()(const events::ProposalRefused& e)
    {
        if (!m_state.proposal(e.id))
            return unknownId("proposal", e.id.value);
        Proposal& proposal = m_state.proposals.edit(static_cast<std::size_t>(e.id.value - 1));
        proposal.state = e.state;
        proposal.rule = e.rule;
        proposal.detail = e.detail;
        proposal.repairs = e.repairs;
        const bool isDuplicate = e.state == ProposalState::Duplicate;
        const bool hadNone = e.rule.starts_with("proposer/"); // there was nothing that could be refused
        ++m_state.outcomes[isDuplicate ? "duplicate" : hadNone ? "nothing_new" : "patch_refused"];
        if (hadNone)
            note("info", {}, proposal.proposer + ": " + e.detail);
        else if (!isDuplicate)
            note("warning", {}, "a proposal of " + authorOf(proposal) + " was refused: " + e.rule + " " + e.detail,
                e.id);
        else if (proposal.modelRequest) // somebody was asked, and perhaps paid
            note("info", {},
                "a proposal of " + authorOf(proposal) + " is a duplicate: it is the program of " + e.detail, e.id);
        return {};
    }

    Result<void> operator()(const events::CandidateMade& e)
    {
        if (auto added = addCandidate(e.candidate); !added)
            return added;
        if (m_state.proposal(e.candidate.proposal)) {
            Proposal& proposal = m_state.proposals.edit(static_cast<std::size_t>(e.candidate.proposal.value - 1));
            proposal.state = ProposalState::Accepted;
            proposal.repairs = e.candidate.repairs;
        }
        if (!m_state.incumbent)
            m_state.incumbent = e.candidate.id; // the seed
        return {};
    }

    Result<void> operator()(const events::EvaluationStarted& e)
    {
        Candidate* candidate = edit(m_state, e.candidate);
        if (!candidate)
            return unknownId("candidate", e.candidate.value);
        if (candidate->evaluationNumber == 0)
            candidate->evaluationNumber = takePlace(m_state);
        candidate->stage = Stage::Building;
        return {};
    }

    Result<void> operator()(const events::StageReached& e)
    {
        Candidate* candidate = edit(m_state, e.candidate);
        if (!candidate)
            return unknownId("candidate", e.candidate.value);
        candidate->stage = e.stage;
        return {};
    }

    Result<void> operator()(const events::Evaluated& e)
    {
        Candidate* candidate = edit(m_state, e.evaluation.candidate);
        if (!candidate)
            return unknownId("candidate", e.evaluation.candidate.value);
        if (e.evaluation.id.value != static_cast<std::int64_t>(m_state.evaluations.size()) + 1)
            return unknownId("evaluation", e.evaluation.id.value);
        Evaluation evaluation = e.evaluation;
        evaluation.before = std::exchange(candidate->newest, evaluation.id);
        m_state.evaluations.push_back(std::move(evaluation));
        m_state.runNs = std::max(m_state.runNs, e.runNs);
        if (e.evaluation.result.purpose == Purpose::Rerun)
            return told(finishRerun(m_state, e.evaluation));
        takeFigures(m_state, *candidate, e);
        reviseBest(m_state, candidate->id);
        return told(lineOf(e.evaluation));
    }

    Result<void> operator()(const events::Admitted& e)
    {
        Candidate* candidate = edit(m_state, e.candidate);
        Island* island = edit(m_state, e.island);
        if (!candidate || !island)
            return unknownId("candidate or island", e.candidate.value);
        candidate->cell = e.cell;
        admit(*island, *candidate, e.elite, e.displaced);
        return {};
    }

    Result<void> operator()(const events::Migrated& e)
    {
        if (!m_state.candidate(e.from))
            return unknownId("candidate", e.from.value);
        if (auto added = addCandidate(e.copy); !added)
            return added;
        Island* island = edit(m_state, e.copy.island);
        if (!island)
            return unknownId("island", e.copy.island.value);
        Candidate* copy = edit(m_state, e.copy.id);
        copy->cell = e.cell;
        admit(*island, *copy, e.elite, e.displaced);
        MigrationMark mark{
            e.from, e.copy.id, e.copy.island, m_state.resultsEver, m_state.runNs, island->best == e.copy.id};
        mark.byOrder = e.byOrder;
        if (Island* from = edit(m_state, m_state.candidate(e.from)->island)) {
            mark.before = from->lastMigration;
            if (!e.byOrder)
                from->lastMigration = from->admissions;
            mark.at = from->lastMigration;
        }
        m_state.migrations.push_back(mark);
        note("info", e.copy.id,
            candidateName(e.from) + (e.byOrder ? " is on island " : " migrated to island ")
                + islandLetter(e.copy.island) + (e.byOrder ? " also, as " : " as ") + candidateName(e.copy.id));
        return {};
    }

    Result<void> operator()(const events::GridRebinned& e) { return told(applyGrid(m_state, e)); }

    Result<void> operator()(const events::IncumbentChanged& e)
    {
        const Candidate* candidate = m_state.candidate(e.candidate);
        if (!candidate)
            return unknownId("candidate", e.candidate.value);
        m_state.incumbent = e.candidate;
        m_state.incumbents.push_back(e.candidate);
        if (candidate->score)
            m_state.bestTrace.emplace_back(m_state.evaluationsDone, candidate->score->value);
        note("good", e.candidate, candidateName(e.candidate) + " is the new best");
        return {};
    }

    Result<void> operator()(const events::NoiseMeasured& e)
    {
        m_state.noise[e.device] = {e.floor, e.blocks};
        m_state.noiseFloor = 0;
        m_state.noiseBlocks = 0;
        for (const auto& [device, noise] : m_state.noise) {
            if (device != e.device && device != m_state.device && !std::ranges::count(m_state.otherDevices, device))
                continue; // another host's
            m_state.noiseFloor = std::max(m_state.noiseFloor, noise.floor);
            m_state.noiseBlocks += noise.blocks;
        }
        return {};
    }

    Result<void> operator()(const events::BudgetChanged& e)
    {
        if (!(m_state.settings.budget == e.budget))
            m_state.phaseCode.clear();
        m_state.settings.budget = e.budget;
        return {};
    }

    Result<void> operator()(const events::ProposerChanged& e)
    {
        m_state.settings.proposer = e.proposer;
        note("info", {}, "proposer from now on: " + e.proposer);
        return {};
    }

    Result<void> operator()(const events::HintsChanged& e)
    {
        if (e.island.value < 0 || e.island.value > m_state.islandCount())
            return unknownId("island", e.island.value);
        const std::string whose = e.island ? "island " + islandLetter(e.island) : "all islands";
        if (e.text.empty())
            m_state.settings.hints.erase(e.island);
        else
            m_state.settings.hints[e.island] = e.text;
        note("info", {},
            e.text.empty() ? "the hint for " + whose + " was removed" : "hint for " + whose + ": " + e.text);
        return {};
    }

    Result<void> operator()(const events::PhaseChanged& e)
    {
        m_state.phase = e.phase;
        m_state.phaseReason = e.reason;
        m_state.phaseCode = e.code;
        m_state.runNs = std::max(m_state.runNs, e.runNs);
        note("info", {}, nameOf(e.phase) + (e.reason.empty() ? "" : ": " + e.reason));
        return {};
    }

    Result<void> operator()(const events::Noted& e)
    {
        note(e.severity, {}, e.hint.empty() ? e.text : e.text + " — " + e.hint);
        return {};
    }

    Result<void> operator()(const events::Asked& e) { return applyModelRequest(m_state, e); }
    Result<void> operator()(const events::Answered& e) { return told(applyModelRequest(m_state, e)); }
    Result<void> operator()(const events::BodyArrived& e) { return applyModelRequest(m_state, e); }
    Result<void> operator()(const events::TriedAgain& e) { return applyModelRequest(m_state, e); }

    Result<void> operator()(const events::ModelStatisticsChanged& e)
    {
        const auto known = m_state.statisticsByModel.find(e.model);
        const std::string before = known == m_state.statisticsByModel.end() ? "" : known->second.pausedBecause;
        m_state.statisticsByModel[e.model] = e.statistics;
        if (!e.statistics.pausedBecause.empty() && e.statistics.pausedBecause != before)
            note("warning", {}, "model " + e.model + " is paused: " + e.statistics.pausedBecause);
        return {};
    }

    Result<void> operator()(const events::InsightsWritten& e)
    {
        m_state.insights.push_back(e.note);
        m_state.insights.back().seq = m_event.seq;
        note("info", {}, "insights were written by " + e.note.author);
        return {};
    }

    Result<void> operator()(const events::ReviewPolicyChanged& e) { return told(applyReview(m_state, e)); }
    Result<void> operator()(const events::ReviewLimitChanged& e) { return told(applyReview(m_state, e)); }
    Result<void> operator()(const events::TurnsWaived& e)
    {
        Island* island = edit(m_state, e.island);
        if (!island)
            return unknownId("island", e.island.value);
        takeTurnsWithOthers(m_state, *island);
        return {};
    }
    Result<void> operator()(const events::ReviewAsked& e) { return told(applyReview(m_state, e, m_event.atUtc)); }
    Result<void> operator()(const events::Reviewed& e) { return told(applyReview(m_state, e)); }
    Result<void> operator()(const events::ReviewUndone& e) { return told(applyReview(m_state, e)); }
    Result<void> operator()(const events::FeatureUsed& e) { return told(applyReview(m_state, e)); }
    Result<void> operator()(const events::Marked& e) { return told(applyMarks(m_state, e)); }
    Result<void> operator()(const events::MarkUndone& e) { return told(applyMarks(m_state, e)); }
    Result<void> operator()(const events::SteeringRequested& e) { return told(applySteeringRequest(m_state, e)); }
    Result<void> operator()(const events::SteeringRequestCancelled& e)
    {
        return told(applySteeringRequest(m_state, e));
    }
    Result<void> operator()(const events::Placed& e) { return told(applyPlacement(m_state, e)); }
    Result<void> operator()(const events::PlacementUndone& e) { return told(applyPlacement(m_state, e)); }
    Result<void> operator()(const events::HandwrittenWithdrawn& e) { return told(applyWithdrawal(m_state, e)); }
    Result<void> operator()(const events::RerunAsked& e) { return told(applyRerun(m_state, e)); }
    Result<void> operator()(const events::RerunWithdrawn& e) { return told(applyRerun(m_state, e)); }

    Result<void> operator()(const events::SealedMeasured& e)
    {
        if (!m_state.candidate(e.candidate))
            return unknownId("candidate", e.candidate.value);
        if (m_state.sealedMeasurement(e.candidate))
            return fail("event/order", "a candidate is measured on sealed shapes only once");
        m_state.sealedMeasurements.push_back({e.candidate, e.device, e.result, m_event.seq});
        note("info", e.candidate,
            "measured on sealed shapes for an export: "
                + (e.result.score ? timesText(*e.result.score) + " baseline" : nameOf(e.result.outcome))
                + (e.result.rule.empty() ? std::string() : ", " + e.result.rule));
        return {};
    }

    Result<void> operator()(const events::TemplateSaved& e)
    {
        if (e.island.value < 0 || e.island.value > m_state.islandCount())
            return unknownId("island", e.island.value);
        const TemplateVersion* earlier = m_state.newestTemplate(e.island, e.name);
        if (e.again && (!earlier || e.again > earlier->number))
            return fail("event/order", "an event restores a template version that was never active");
        const bool isNewText = !e.again && !e.text.isNull();
        const int number = !earlier ? 1 : earlier->number + (isNewText ? 1 : 0);
        TemplateVersion version{e.island, e.name, number, e.text, e.again, e.note,
            static_cast<std::int64_t>(m_state.modelRequests.size()) + 1, m_state.evaluationsDone, m_event.seq,
            e.isUndo};
        const std::string whose = e.island ? " of island " + islandLetter(e.island) : " of all islands";
        note("info", {},
            "template " + e.name + whose
                + (e.text.isNull() ? " was removed"
                                   : " is version " + std::to_string(version.held()) + (e.again ? " again" : " now"))
                + (e.note.empty() ? "" : ": " + e.note));
        m_state.templates.push_back(std::move(version));
        return {};
    }
    Result<void> operator()(const events::IslandStandingChanged& e) { return applyIslandChange(m_state, e); }
    Result<void> operator()(const events::IslandSteered& e) { return applyIslandChange(m_state, e); }
    Result<void> operator()(const events::IslandReset& e) { return applyIslandChange(m_state, e); }
    Result<void> operator()(const events::MigrationPlanned& e) { return applyIslandChange(m_state, e); }
    Result<void> operator()(const events::IslandChangeUndone& e) { return applyIslandChange(m_state, e); }

    Result<void> operator()(const events::Judged& e) { return told(applyJudgement(m_state, e)); }

    Result<void> operator()(const events::WorkDone& e)
    {
        if (!m_state.candidate(e.span.candidate))
            return unknownId("candidate", e.span.candidate.value);
        m_state.runNs = std::max(m_state.runNs, e.span.endedNs);
        return {};
    }

private:
    /// The model that answered, else who proposed.
    std::string authorOf(const Proposal& proposal) const
    {
        const ModelRequest* modelRequest = m_state.modelRequest(proposal.modelRequest);
        return modelRequest && !modelRequest->model.empty() ? modelRequest->model
            : proposal.proposer == "person"                 ? "user"
                                                            : proposal.proposer;
    }

    Result<void> addCandidate(const Candidate& candidate)
    {
        if (candidate.id.value != static_cast<std::int64_t>(m_state.candidates.size()) + 1)
            return unknownId("candidate", candidate.id.value);
        Candidate added = candidate;
        added.newest = {}; // a copy's own: none yet
        added.seq = m_event.seq;
        m_state.candidates.push_back(std::move(added));
        m_state.firstOfProgram.add(candidate.program, candidate.id);
        return {};
    }

    void admit(Island& island, const Candidate& candidate, bool elite, const std::vector<CandidateId>& displaced)
    {
        for (const CandidateId gone : displaced)
            std::erase(island.members, gone);
        if (std::ranges::find(island.members, candidate.id) == island.members.end())
            island.members.push_back(candidate.id);
        if (elite)
            island.niches[candidate.cell] = candidate.id;
        ++island.admissions;
        const Candidate* best = m_state.candidate(island.best);
        if (candidate.isRanked() && !isBanned(m_state, candidate.id)
            && (!best || !best->score || candidate.score->value > best->score->value)) {
            island.best = candidate.id;
            island.bestTrace.emplace_back(m_state.resultsEver, candidate.score->value);
        }
    }

    void note(const std::string& severity, CandidateId candidate, const std::string& text, ProposalId proposal = {})
    {
        m_state.log.push_back({m_event.seq, m_event.atUtc, severity, candidate, text, proposal});
    }

    /// Nothing, where there is nothing to tell.
    Result<void> told(const Result<std::optional<LogLine>>& line)
    {
        if (!line)
            return std::unexpected(line.error());
        if (*line)
            note((*line)->severity, (*line)->candidate, (*line)->text);
        return {};
    }

    RunState& m_state;
    const Event& m_event;
};

/// Of a change of settings: whether it undoes another.
bool isUndo(const EventBody& body)
{
    return std::visit(
        [](const auto& event) {
            if constexpr (requires { event.undo; })
                return event.undo;
            return false;
        },
        body);
}

} // namespace

Result<void> apply(RunState& state, const Event& event)
{
    if (event.seq != state.lastSeq + 1)
        return fail("event/order",
            "event " + std::to_string(event.seq) + " follows event " + std::to_string(state.lastSeq)
                + ": the event log has a gap");
    auto change = changeOf(state, event);
    std::optional<RunSettings> before;
    const auto* policy = std::get_if<events::ReviewPolicyChanged>(&event.body);
    if (change && change->isOfSettings)
        before = state.settings;
    auto applied = std::visit(Applier(state, event), event.body);
    if (!applied)
        return applied;
    if (change) {
        if (isToldByItsChange(event.body)) // of the others their own line tells
            state.log.push_back({event.seq, event.atUtc, "info", {}, lineOf(*change)});
        if (before)
            state.settingsBefore.push_back(
                {event.seq, std::move(*before), policy && policy->continued, isUndo(event.body)});
        state.changes.push_back(std::move(*change));
    }
    state.lastSeq = event.seq;
    followWork(state.work, event, state.runNs);
    return {};
}

} // namespace tilewright
